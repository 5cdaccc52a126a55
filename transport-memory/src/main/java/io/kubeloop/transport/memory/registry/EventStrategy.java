package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events (upstream: {@code pkg/registry/core/event}). They are not forgotten after an hour here. */
final class EventStrategy implements RestStrategy {

    private static final List<String> FIELDS = List.of(
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type");

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        String involved = object.string("involvedObject", "namespace");
        String namespace = Meta.namespace(object);
        // Events about objects without namespace stand in the default one.
        boolean matches = involved.isEmpty() ? namespace.equals("default") : involved.equals(namespace);
        if (!matches) {
            errors.invalid("involvedObject.namespace", involved, "does not match event.namespace");
        }
    }

    @Override
    public Map<String, String> fields(JsonObject object) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : FIELDS) {
            fields.put(field, object.string(field.split("\\.")));
        }
        String source = object.string("source", "component");
        fields.put("source", source.isEmpty() ? object.string("reportingComponent") : source);
        return fields;
    }

    @Override
    public List<String> fieldNames() {
        return FIELDS;
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }
}
