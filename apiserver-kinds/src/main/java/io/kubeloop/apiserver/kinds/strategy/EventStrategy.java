package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The strategy of Events (upstream: {@code pkg/registry/core/event}). Unlike upstream, events do not expire after
 * an hour.
 */
final class EventStrategy implements RestStrategy {

    /**
     * The maximum length of {@code reportingInstance}, {@code action} and {@code reason} of a newer event, in
     * bytes.
     */
    private static final int MAX_TEXT = 128;

    private static final int MAX_NOTE = 1024;

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
        boolean isNew = !object.string("eventTime").isEmpty();
        // Events about cluster-scoped objects are in the namespace default; those of the newer API may also be in
        // kube-system.
        boolean matches = involved.isEmpty()
                ? namespace.equals("default") || (isNew && namespace.equals("kube-system"))
                : isNew || involved.equals(namespace);
        if (!matches) {
            errors.invalid("involvedObject.namespace", involved, "does not match event.namespace");
        }
        if (isNew) {
            checkNew(object, errors);
        }
    }

    /**
     * Validates an event of the newer API, which has an {@code eventTime}: reporter, action and reason are required
     * and limited in length.
     */
    private static void checkNew(JsonObject object, FieldErrors errors) {
        String reporter = object.string("reportingComponent");
        if (reporter.isEmpty()) {
            errors.required("reportingComponent", "");
        }
        errors.invalid("reportingComponent", reporter, NameValidation.qualifiedName(reporter));
        for (String field : List.of("reportingInstance", "action", "reason")) {
            if (object.string(field).isEmpty()) {
                errors.required(field, "");
            }
            atMost(field, object.string(field), MAX_TEXT, errors);
        }
        atMost("message", object.string("message"), MAX_NOTE, errors);
    }

    private static void atMost(String field, String text, int most, FieldErrors errors) {
        if (text.getBytes(StandardCharsets.UTF_8).length > most) {
            errors.invalid(field, "", "can have at most " + most + " characters");
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
