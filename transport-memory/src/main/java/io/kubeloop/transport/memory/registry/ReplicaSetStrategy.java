package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;

/** ReplicaSets (upstream: {@code pkg/registry/apps/replicaset/strategy.go}). */
final class ReplicaSetStrategy implements ReplicaStrategy {

    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject defaulted = REPLICA_DEFAULTS.apply(object);
        return defaulted.with("spec", PodTemplateRules.defaults(defaulted.object("spec")));
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        JsonObject spec = object.object("spec");
        PodTemplateRules.validate("ReplicaSet", spec, LabelSelectorTrees.required(spec, errors), errors);
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        ReplicaStrategy.super.validateUpdate(object, old, part, errors);
        LabelSelectorTrees.requireSame(object, old, errors);
    }
}
