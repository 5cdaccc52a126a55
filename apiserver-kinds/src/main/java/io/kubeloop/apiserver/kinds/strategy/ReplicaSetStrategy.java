package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.validation.PodTemplateRules;
import io.kubeloop.apiserver.kinds.validation.WorkloadSelectors;
import io.kubeloop.apiserver.machinery.Defaults;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.json.tree.JsonObject;

/** The strategy of ReplicaSets (upstream: {@code pkg/registry/apps/replicaset/strategy.go}). */
final class ReplicaSetStrategy implements ReplicaStrategy {

    /** A missing template becomes an empty one, which validation rejects. */
    private static final Defaults TEMPLATE = Defaults.parse("spec.template = {}");

    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject defaulted = TEMPLATE.apply(REPLICA_DEFAULTS.apply(object));
        return defaulted.with("spec", PodTemplateRules.defaults(defaulted.object("spec")));
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        JsonObject spec = object.object("spec");
        PodTemplateRules.validate("ReplicaSet", spec, WorkloadSelectors.required(spec, errors), errors);
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        ReplicaStrategy.super.validateUpdate(object, old, part, errors);
        WorkloadSelectors.requireSame(object, old, errors);
    }
}
