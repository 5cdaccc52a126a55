package io.kubeloop.json.typed;

import io.kubeloop.api.client.DecodeException;
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

/**
 * Finds the first value of a wrong type in a tree, in the words of the server's converter, which names no field (upstream: {@code
 * runtime.DefaultUnstructuredConverter}). It visits fields in the order of Go. Thread-safe: stateless.
 */
final class TreeCheck {

    private TreeCheck() {}

    static void check(StructSchema type, JsonObject tree) {
        struct(type, tree);
    }

    private static void value(TypeSchema type, JsonValue value, String typeName) {
        if (value == JsonNull.NULL) {
            return;
        }
        if (type instanceof Scalar scalar) {
            scalar(scalar, value, typeName);
        } else if (type instanceof StructSchema struct) {
            struct(struct, value);
        } else if (type instanceof TypeSchema.ListOf list) {
            if (!(value instanceof JsonArray array)) {
                throw new DecodeException("cannot restore slice from " + kind(value), null);
            }
            String element = GoTypes.elementName(typeName, list.elements());
            array.forEach(each -> value(list.elements(), each, element));
        } else if (type instanceof TypeSchema.MapOf map) {
            if (!(value instanceof JsonObject object)) {
                throw new DecodeException("cannot restore map from " + kind(value), null);
            }
            String element = GoTypes.elementName(typeName, map.values());
            object.members().forEach((key, each) -> value(map.values(), each, element));
        }
    }

    private static void struct(StructSchema type, JsonValue value) {
        if (!(value instanceof JsonObject object)) {
            throw new DecodeException("cannot restore struct from: " + kind(value), null);
        }
        for (Field field : type.fields().values()) {
            JsonValue member = object.get(field.name());
            if (member != null) {
                value(field.type(), member, GoTypes.name(field));
            }
        }
    }

    private static void scalar(Scalar type, JsonValue value, String typeName) {
        switch (type) {
            case STRING -> {
                if (!(value instanceof JsonString)) {
                    throw isWhole(value) ? unconvertible(value, typeName) : unknown("string");
                }
            }
            case BOOLEAN -> {
                if (!(value instanceof JsonBoolean)) {
                    throw unknown("bool");
                }
            }
            case INT32, INT64 -> {
                if (!(value instanceof JsonNumber)) {
                    throw unknown(type == Scalar.INT32 ? "int32" : "int64");
                }
                if (!isWhole(value)) {
                    throw unconvertible(value, typeName);
                }
            }
            case NUMBER -> {
                if (!(value instanceof JsonNumber)) {
                    throw unknown("float64");
                }
            }
            case BYTES -> bytes(value);
            case TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING ->
                new TypedReader(new JsonScanner(value.toBytes())).single(type);
        }
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

    private static boolean isWhole(JsonValue value) {
        return value instanceof JsonNumber number && number.toLong() != null;
    }

    /** Go converts between kinds of numbers, and from whole numbers to strings, but the server does not. */
    private static DecodeException unconvertible(JsonValue value, String typeName) {
        return new DecodeException("cannot convert " + kind(value) + " to " + typeName, null);
    }

    private static DecodeException unknown(String kind) {
        return new DecodeException("unrecognized type: " + kind, null);
    }

    /** Returns Go's word for the kind of a value. */
    private static String kind(JsonValue value) {
        if (value instanceof JsonObject) {
            return "map";
        }
        return value instanceof JsonArray ? "slice" : GoText.type(value);
    }
}
