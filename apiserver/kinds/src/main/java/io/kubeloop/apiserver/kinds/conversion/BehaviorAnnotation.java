/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.conversion;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of an autoscaler in the annotation of version 1: upstream's internal type, which has no JSON names. Go
 * writes all of its fields with their names in Go, and reads them in any case. Static functions only.
 */
final class BehaviorAnnotation {

    private static final List<Field> RULES = List.of(
            new Field("StabilizationWindowSeconds", Type.INTEGER, JsonNull.NULL),
            new Field("SelectPolicy", Type.TEXT, JsonNull.NULL),
            new Field("Policies", Type.POLICIES, JsonNull.NULL),
            new Field("Tolerance", Type.QUANTITY, JsonNull.NULL));

    private static final List<Field> POLICY = List.of(
            new Field("Type", Type.TEXT, new JsonString("")),
            new Field("Value", Type.INTEGER, JsonNumber.of(0)),
            new Field("PeriodSeconds", Type.INTEGER, JsonNumber.of(0)));

    private static final List<Field> DIRECTIONS =
            List.of(new Field("ScaleUp", Type.RULES, JsonNull.NULL), new Field("ScaleDown", Type.RULES, JsonNull.NULL));

    private BehaviorAnnotation() {}

    private enum Type {
        RULES,
        POLICIES,
        INTEGER,
        TEXT,
        QUANTITY
    }

    /**
     * A field.
     *
     * @param goName its name in Go
     * @param zero what Go writes for a field without a value
     */
    private record Field(String goName, Type type, JsonValue zero) {

        String name() {
            return Character.toLowerCase(goName.charAt(0)) + goName.substring(1);
        }
    }

    /** Returns the content of the annotation for a behavior of version 2. */
    static JsonObject written(JsonObject behavior) {
        return written(DIRECTIONS, behavior);
    }

    private static JsonObject written(List<Field> fields, JsonObject object) {
        JsonObject.Builder result = JsonObject.builder();
        for (Field field : fields) {
            JsonValue value = object.get(field.name());
            result.put(field.goName(), value == null || value == JsonNull.NULL ? field.zero() : written(field, value));
        }
        return result.build();
    }

    private static JsonValue written(Field field, JsonValue value) {
        if (value instanceof JsonObject rules) {
            return written(RULES, rules);
        }
        return value instanceof JsonArray policies
                ? JsonArray.of(policies.objects()
                        .map(policy -> (JsonValue) written(POLICY, policy))
                        .toList())
                : field.type() == Type.QUANTITY && value instanceof JsonString text
                        ? new JsonString(Quantity.parse(text.value()).toString())
                        : value;
    }

    /** Returns the behavior of version 2; without members if the annotation is no behavior, which upstream ignores. */
    static JsonObject read(JsonValue annotation) {
        JsonObject behavior = annotation instanceof JsonObject object ? read(DIRECTIONS, object) : null;
        return behavior == null ? JsonObject.EMPTY : behavior;
    }

    /** Returns the fields of an object under their names in JSON; null if one of them has another type. */
    private static @Nullable JsonObject read(List<Field> fields, JsonObject object) {
        JsonObject.Builder result = JsonObject.builder();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            for (Field field : fields) {
                if (field.goName().equalsIgnoreCase(member.getKey()) && member.getValue() != JsonNull.NULL) {
                    JsonValue value = read(field.type(), member.getValue());
                    if (value == null) {
                        return null;
                    }
                    result.put(field.name(), value);
                }
            }
        }
        return result.build();
    }

    private static @Nullable JsonValue read(Type type, JsonValue value) {
        return switch (type) {
            case RULES -> value instanceof JsonObject rules ? rules(rules) : null;
            case POLICIES -> value instanceof JsonArray policies ? policies(policies) : null;
            case INTEGER -> value instanceof JsonNumber number && isInt32(number.text()) ? value : null;
            case TEXT -> value instanceof JsonString ? value : null;
            case QUANTITY -> quantity(value);
        };
    }

    /** Version 1 has no default policies, so rules without any are invalid. */
    private static @Nullable JsonObject rules(JsonObject rules) {
        JsonObject read = read(RULES, rules);
        return read == null || read.has("policies") ? read : read.with("policies", JsonArray.EMPTY);
    }

    private static @Nullable JsonArray policies(JsonArray policies) {
        List<JsonValue> read = new ArrayList<>();
        for (JsonValue policy : policies) {
            JsonObject fields = policy instanceof JsonObject object ? read(POLICY, object) : null;
            if (fields == null) {
                return null;
            }
            read.add(fields);
        }
        return JsonArray.of(read);
    }

    private static boolean isInt32(String text) {
        try {
            Integer.parseInt(text);
            return true;
        } catch (NumberFormatException e) {
            return false; // Go reads no fraction and no exponent
        }
    }

    private static @Nullable JsonValue quantity(JsonValue value) {
        if (!(value instanceof JsonString || value instanceof JsonNumber)) {
            return null;
        }
        try {
            String text = value instanceof JsonString string ? string.value() : value.toString();
            return new JsonString(Quantity.parse(text).toString());
        } catch (IllegalArgumentException e) {
            return null; // upstream ignores the annotation then
        }
    }
}
