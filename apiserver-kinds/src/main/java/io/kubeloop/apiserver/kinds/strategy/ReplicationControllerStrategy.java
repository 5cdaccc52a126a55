package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.apiserver.kinds.validation.PodTemplateRules;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.json.tree.JsonObject;

/** The strategy of ReplicationControllers (upstream: {@code pkg/registry/core/replicationcontroller/strategy.go}). */
final class ReplicationControllerStrategy implements ReplicaStrategy {

    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject defaulted = PodTemplateRules.labelsFromTemplate(REPLICA_DEFAULTS.apply(object));
        JsonObject spec = PodTemplateRules.defaults(defaulted.object("spec"));
        JsonObject labels = spec.object("template", "metadata", "labels");
        if (spec.object("selector").isEmpty() && !labels.isEmpty()) {
            spec = spec.with("selector", labels);
        }
        return defaulted.with("spec", spec);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        JsonObject spec = object.object("spec");
        JsonObject selector = spec.object("selector");
        if (selector.isEmpty()) {
            errors.required("spec.selector", "");
        }
        PodTemplateRules.validate("ReplicationController", spec, LabelSelectors.ofMap(Meta.strings(selector)), errors);
    }

    /** True for compatibility with clients from before garbage collection. */
    @Override
    public boolean orphansByDefault() {
        return true;
    }
}
