package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/** ReplicationControllers (upstream: {@code pkg/registry/core/replicationcontroller/strategy.go}). */
final class ReplicationControllerStrategy implements RestStrategy {

    private static final Defaults DEFAULTS = Defaults.parse("+spec.replicas = 1\n+status.replicas = 0");

    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject defaulted = PodTemplateRules.labelsFromTemplate(DEFAULTS.apply(object));
        JsonObject spec = PodTemplateRules.defaults(defaulted.object("spec"));
        JsonObject labels = spec.object("template", "metadata", "labels");
        if (spec.object("selector").isEmpty() && !labels.isEmpty()) {
            spec = spec.with("selector", labels);
        }
        return defaulted.with("spec", spec);
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return object.with("status", JsonObject.EMPTY.with("replicas", 0));
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        JsonObject spec = object.object("spec");
        JsonObject selector = spec.object("selector");
        if (selector.isEmpty()) {
            errors.required("spec.selector", "");
        }
        PodTemplateRules.validate(spec, LabelSelectors.ofMap(PodTemplateRules.strings(selector)), errors);
    }

    @Override
    public Map<String, String> fields(JsonObject object) {
        Long replicas = object.number("status", "replicas");
        return Map.of("status.replicas", Long.toString(replicas == null ? 0 : replicas));
    }

    @Override
    public List<String> fieldNames() {
        return List.of("status.replicas");
    }

    @Override
    public boolean hasStatus() {
        return true;
    }

    @Override
    public boolean hasGeneration() {
        return true;
    }

    /** For the sake of clients that are older than garbage collection. */
    @Override
    public boolean orphansByDefault() {
        return true;
    }
}
