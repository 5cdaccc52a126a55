/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.json.schema.GoTypes;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Converts a JSON tree to a type as the server does without encoding it (upstream: {@code
 * runtime.DefaultUnstructuredConverter}). A whole number may have a fraction or an exponent, and a number that does not
 * fit into an integer loses its high bits. The error messages are those of upstream's converter, which do not name the
 * field. Fields are visited in the order of the Go struct. Thread-safe: stateless.
 */
final class TreeConversion {

    /** The smallest positive double that does not fit into a 64-bit integer. */
    private static final double BEYOND_INT64 = 0x1p63;

    private TreeConversion() {}

    /** Returns the tree itself if there is nothing to convert. */
    static JsonObject convert(StructSchema type, JsonObject tree) {
        return struct(type, tree);
    }

    private static JsonValue value(TypeSchema type, JsonValue value, String typeName) {
        if (value == JsonNull.NULL) {
            return value;
        }
        if (type instanceof Scalar scalar) {
            return scalar(scalar, value, typeName);
        }
        if (type instanceof StructSchema struct) {
            return struct(struct, value);
        }
        if (type instanceof TypeSchema.ListOf list) {
            if (!(value instanceof JsonArray array)) {
                throw new DecodeException("cannot restore slice from " + kind(value), null);
            }
            String element = GoTypes.elementName(typeName, list.elements());
            return elements(array, each -> value(list.elements(), each, element));
        }
        if (type instanceof TypeSchema.MapOf map) {
            if (!(value instanceof JsonObject object)) {
                throw new DecodeException("cannot restore map from " + kind(value), null);
            }
            String element = GoTypes.elementName(typeName, map.values());
            return members(object, each -> value(map.values(), each, element));
        }
        return untyped(value);
    }

    private static JsonObject struct(StructSchema type, JsonValue value) {
        if (!(value instanceof JsonObject object)) {
            throw new DecodeException("cannot restore struct from: " + kind(value), null);
        }
        Map<String, JsonValue> changes = new HashMap<>();
        for (Field field : type.fields().values()) {
            JsonValue member = object.get(field.name());
            if (member != null) {
                JsonValue converted = value(field.type(), member, GoTypes.name(field));
                if (converted != member) {
                    changes.put(field.name(), converted);
                }
            }
        }
        return changed(object, changes);
    }

    private static JsonObject members(JsonObject object, UnaryOperator<JsonValue> conversion) {
        Map<String, JsonValue> changes = new HashMap<>();
        object.members().forEach((name, member) -> {
            JsonValue converted = conversion.apply(member);
            if (converted != member) {
                changes.put(name, converted);
            }
        });
        return changed(object, changes);
    }

    /**
     * Returns the object with changed members at their positions. {@link JsonObject#with} would keep the old text of a
     * number that is equal.
     */
    private static JsonObject changed(JsonObject object, Map<String, JsonValue> changes) {
        if (changes.isEmpty()) {
            return object;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
        members.putAll(changes);
        return JsonObject.of(members);
    }

    private static JsonArray elements(JsonArray array, UnaryOperator<JsonValue> conversion) {
        boolean isChanged = false;
        List<JsonValue> converted = new ArrayList<>();
        for (JsonValue element : array) {
            JsonValue result = conversion.apply(element);
            isChanged |= result != element;
            converted.add(result);
        }
        return isChanged ? JsonArray.of(converted) : array;
    }

    static JsonObject untyped(JsonObject object) {
        return members(object, TreeConversion::untyped);
    }

    /** Returns a value without a type, with its numbers as Go writes them. */
    private static JsonValue untyped(JsonValue value) {
        if (value instanceof JsonNumber number) {
            JsonValue written = ScalarForms.untypedNumber(number.text());
            if (written == null || written.toString().equals(number.text())) {
                return number;
            }
            return written.toString().equals("-0") ? JsonNumber.of(0) : written; // as Go reads what it has written
        }
        if (value instanceof JsonArray array) {
            return elements(array, TreeConversion::untyped);
        }
        return value instanceof JsonObject object ? untyped(object) : value;
    }

    private static JsonValue scalar(Scalar type, JsonValue value, String typeName) {
        switch (type) {
            case STRING -> {
                if (!(value instanceof JsonString)) {
                    throw isInteger(value) ? unconvertible(value, typeName) : unknown("string");
                }
            }
            case BOOLEAN -> {
                if (!(value instanceof JsonBoolean)) {
                    throw unknown("bool");
                }
            }
            case INT32, INT64 -> {
                return integer(type, value, typeName);
            }
            case NUMBER -> {
                if (!(value instanceof JsonNumber)) {
                    throw unknown("float64");
                }
            }
            case BYTES -> bytes(value);
            case TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING -> {
                JsonValue written = untyped(value);
                new TypedReader(new JsonScanner(written.toBytes())).single(type);
                return written;
            }
        }
        return value;
    }

    private static JsonNumber integer(Scalar type, JsonValue value, String typeName) {
        if (!(value instanceof JsonNumber number)) {
            throw unknown(type == Scalar.INT32 ? "int32" : "int64");
        }
        long converted;
        if (isInteger(number)) {
            converted = Long.parseLong(number.text());
        } else {
            double source = Double.parseDouble(number.text());
            if (source != Math.rint(source)) {
                throw unconvertible(value, typeName);
            }
            converted = source >= BEYOND_INT64 ? Long.MIN_VALUE : (long) source;
        }
        long fitting = type == Scalar.INT32 ? (int) converted : converted;
        return number.text().equals(Long.toString(fitting)) ? number : JsonNumber.of(fitting);
    }

    private static void bytes(JsonValue value) {
        if (value instanceof JsonString text) {
            int wrong = Base64Errors.firstError(text.value());
            if (wrong >= 0) {
                throw new DecodeException("error decoding from json: illegal base64 data at input byte " + wrong, null);
            }
        } else if (!(value instanceof JsonArray)) {
            throw new DecodeException("cannot restore slice from " + kind(value), null);
        }
    }

    /** Returns whether Go decodes a number without a type as an integer. */
    private static boolean isInteger(JsonValue value) {
        return value instanceof JsonNumber number && ScalarForms.number(Scalar.INT64, number.text()) != null;
    }

    /**
     * Returns the error for a value of another type. Go could convert some of these, such as whole numbers to strings,
     * but the server does not.
     */
    private static DecodeException unconvertible(JsonValue value, String typeName) {
        return new DecodeException("cannot convert " + kind(value) + " to " + typeName, null);
    }

    private static DecodeException unknown(String kind) {
        return new DecodeException("unrecognized type: " + kind, null);
    }

    /** Returns the name of the Go kind of a value, such as {@code map}. */
    private static String kind(JsonValue value) {
        if (value instanceof JsonObject) {
            return "map";
        }
        return value instanceof JsonArray ? "slice" : GoText.type(value);
    }
}
