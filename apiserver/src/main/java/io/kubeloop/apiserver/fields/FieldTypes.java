package io.kubeloop.apiserver.fields;

import io.kubeloop.api.Time;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Map;
import java.util.Set;

/** Checks the types of the fields of those kinds whose fields are all listed here. Unknown fields may hold any value. */
public final class FieldTypes {

    private static final Set<String> KINDS =
            Set.of("Service", "Endpoints", "EndpointSlice", "Node", "Namespace", "LimitRange", "ResourceQuota");

    /** Fields that hold a name or a number, and quantities; other code checks them. */
    private static final Set<String> OTHERS = Set.of(
            "ServicePort.targetPort",
            "NodeStatus.capacity",
            "NodeStatus.allocatable",
            "ResourceQuotaSpec.hard",
            "ResourceQuotaStatus.hard",
            "ResourceQuotaStatus.used",
            "LimitRangeItem.max",
            "LimitRangeItem.min",
            "LimitRangeItem.default",
            "LimitRangeItem.defaultRequest",
            "LimitRangeItem.maxLimitRequestRatio");

    private FieldTypes() {}

    /**
     * Checks an object.
     *
     * @throws DecodeException if a field holds a value of another type
     */
    public static void require(String kind, JsonObject object) {
        if (KINDS.contains(kind)) {
            fields(kind, object, "");
        }
    }

    private static void fields(String type, JsonObject object, String path) {
        Map<String, FieldTable.Shape> fields = FieldTable.builtIn().fieldsOf(type);
        object.members().forEach((name, value) -> {
            FieldTable.Shape shape = fields.get(name);
            if (shape != null && !OTHERS.contains(type + "." + name)) {
                field(shape, value, path.isEmpty() ? name : path + "." + name);
            }
        });
    }

    private static void field(FieldTable.Shape shape, JsonValue value, String path) {
        switch (shape.container()) {
            case "[]" -> {
                if (!(value instanceof JsonArray array)) {
                    throw wrong("a list", value, path);
                }
                array.forEach(element -> element(shape, element, path));
            }
            case "{}" -> {
                if (!(value instanceof JsonObject object)) {
                    throw wrong("an object", value, path);
                }
                object.members().values().forEach(element -> element(shape, element, path));
            }
            default -> element(shape, value, path);
        }
    }

    private static void element(FieldTable.Shape shape, JsonValue value, String path) {
        if (value == JsonNull.NULL) {
            return;
        }
        switch (shape.element()) {
            case "" -> text(value, path);
            case "#" -> {
                if (!(value instanceof JsonNumber number) || number.toLong() == null) {
                    throw wrong("a whole number", value, path);
                }
            }
            case "?" -> {
                if (!(value instanceof JsonBoolean)) {
                    throw wrong("a truth value", value, path);
                }
            }
            default -> {
                if (!(value instanceof JsonObject object)) {
                    throw wrong("an object", value, path);
                }
                fields(shape.element(), object, path);
            }
        }
    }

    private static void text(JsonValue value, String path) {
        if (!(value instanceof JsonString text)) {
            throw wrong("a string", value, path);
        }
        if (path.endsWith("Time") || path.endsWith("timeAdded")) {
            try {
                var unused = Time.parse(text.value());
            } catch (IllegalArgumentException e) {
                throw new DecodeException("expected a time at $." + path + ", found " + value, e);
            }
        }
    }

    private static DecodeException wrong(String expected, JsonValue found, String path) {
        return new DecodeException("expected " + expected + " at $." + path + ", found " + found, null);
    }
}
