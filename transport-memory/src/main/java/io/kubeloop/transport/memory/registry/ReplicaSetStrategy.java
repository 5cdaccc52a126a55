package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.Selector;
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
        PodTemplateRules.validate("ReplicaSet", spec, selector(spec, errors), errors);
    }

    private static Selector selector(JsonObject spec, FieldErrors errors) {
        if (!spec.has("selector")) {
            errors.required("spec.selector", "");
            return Selector.NOTHING;
        }
        try {
            Selector selector = LabelSelectorTrees.read(spec.object("selector"));
            if (selector.isEmpty()) {
                errors.invalid("spec.selector", spec.object("selector"), "empty selector is invalid for deployment");
            }
            return selector;
        } catch (InvalidSelectorException e) {
            errors.invalid("spec.selector", spec.object("selector"), String.valueOf(e.getMessage()));
            return Selector.EVERYTHING;
        }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        ReplicaStrategy.super.validateUpdate(object, old, part, errors);
        JsonObject selector = object.object("spec", "selector");
        if (!selector.equals(old.object("spec", "selector"))) {
            errors.invalid("spec.selector", selector, "field is immutable");
        }
    }
}
