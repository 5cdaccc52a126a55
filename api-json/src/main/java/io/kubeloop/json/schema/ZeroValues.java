/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.StructSchema.GoField;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.MapOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Go's zero values in JSON, and the rules by which Go omits them. Thread-safe: the cache of zero structs is concurrent,
 * and threads that compute the same entry get equal values.
 */
public final class ZeroValues {

    private static final JsonString EMPTY = new JsonString("");
    private static final JsonString NO_AMOUNT = new JsonString("0");
    private static final JsonString NO_TIME = new JsonString("0s");
    private static final JsonNumber NOUGHT = JsonNumber.of(0);

    private static final Map<StructSchema, JsonObject> STRUCTS = new ConcurrentHashMap<>();

    private ZeroValues() {}

    /** Returns the JSON of a struct in which no field is set. */
    public static JsonObject of(StructSchema type) {
        JsonObject known = STRUCTS.get(type);
        if (known == null) {
            known = complete(type, Map.of(), null);
            STRUCTS.put(type, known);
        }
        return known;
    }

    /** Returns whether a value of this type is a number, a string or a boolean in Go. */
    public static boolean isPlain(TypeSchema type) {
        return type instanceof Scalar scalar
                && switch (scalar) {
                    case STRING, INT32, INT64, NUMBER, BOOLEAN -> true;
                    case BYTES, TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING -> false;
                };
    }

    /** Returns the JSON of a zero value that is not omitted. */
    public static JsonValue ofElement(TypeSchema type) {
        if (type instanceof StructSchema struct) {
            return of(struct);
        }
        if (!(type instanceof Scalar scalar)) {
            return JsonNull.NULL;
        }
        return switch (scalar) {
            case STRING -> EMPTY;
            case INT32, INT64, NUMBER, INT_OR_STRING -> NOUGHT;
            case BOOLEAN -> JsonBoolean.FALSE;
            case QUANTITY -> NO_AMOUNT;
            case DURATION -> NO_TIME;
            case BYTES, TIME, MICRO_TIME -> JsonNull.NULL;
        };
    }

    /**
     * Returns the JSON of a struct. It contains a zero value only if Go does not omit it.
     *
     * @param values the decoded fields; null for a zero value
     * @param base the fields of an earlier occurrence of the same struct, or null
     */
    public static JsonObject complete(
            StructSchema type, Map<String, ? extends @Nullable JsonValue> values, @Nullable JsonObject base) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (Field field : type.fields().values()) {
            JsonValue value = values.get(field.name());
            if (value == null && base != null && !values.containsKey(field.name())) {
                value = base.get(field.name());
            }
            JsonValue written = value == null ? absent(field) : present(field, value);
            if (written != null) {
                members.put(field.name(), written);
            }
        }
        return JsonObject.of(members);
    }

    private static @Nullable JsonValue absent(Field field) {
        GoField go = field.go();
        TypeSchema type = field.type();
        if (go.omitsZero() || (go.omitsEmpty() && (go.pointer() || isOmittable(type)))) {
            return null;
        }
        return go.pointer() ? JsonNull.NULL : ofElement(type);
    }

    /** Returns whether {@code omitempty} has an effect on a type. It has none on structs, which are never empty. */
    private static boolean isOmittable(TypeSchema type) {
        return isPlain(type) || type == Scalar.BYTES || type instanceof ListOf || type instanceof MapOf;
    }

    private static @Nullable JsonValue present(Field field, JsonValue value) {
        GoField go = field.go();
        if (go.pointer()) {
            return value;
        }
        if (go.omitsEmpty() && isOmittable(field.type()) && isEmpty(value)) {
            return null;
        }
        boolean isZero = go.omitsZero() && (value == JsonNull.NULL || value.equals(ofElement(field.type())));
        return isZero ? null : value;
    }

    private static boolean isEmpty(JsonValue value) {
        if (value instanceof JsonArray array) {
            return array.isEmpty();
        }
        if (value instanceof JsonObject object) {
            return object.isEmpty();
        }
        return value.equals(EMPTY) || value.equals(NOUGHT) || value == JsonBoolean.FALSE || value == JsonNull.NULL;
    }
}
