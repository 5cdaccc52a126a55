/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.MapOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes objects of any type, with canonical scalars other than zero values. Confined to one thread. */
public final class GeneratedObjects {

    private static final int DEEPEST = 9;

    private final Random random;

    /** Starts a sequence of objects that depends on the seed alone. */
    public GeneratedObjects(long seed) {
        random = new Random(seed);
    }

    /** Returns an object with its kind and API version. */
    public JsonObject ofKind(TypeCatalog.Kind kind) {
        StructSchema type = TypeCatalog.kubernetes().type(kind.apiVersion(), kind.name());
        if (type == null) {
            throw new IllegalArgumentException("no such kind: " + kind);
        }
        return struct(type, 0).with("kind", kind.name()).with("apiVersion", kind.apiVersion());
    }

    private JsonObject struct(StructSchema type, int depth) {
        JsonObject.Builder object = JsonObject.builder();
        for (Field field : type.fields().values()) {
            boolean isTypeMeta = field.go().path().isEmpty()
                    && (field.name().equals("kind") || field.name().equals("apiVersion"));
            if (!isTypeMeta && random.nextInt(10) < (depth < 3 ? 7 : 4) && depth < DEEPEST) {
                object.put(
                        field.name(), value(field.type(), depth + 1, !field.go().pointer()));
            }
        }
        return object.build();
    }

    private JsonValue value(TypeSchema type, int depth, boolean isTrue) {
        if (type instanceof StructSchema struct) {
            return struct(struct, depth);
        }
        if (type instanceof ListOf list) {
            List<JsonValue> elements = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(3); i++) {
                elements.add(value(list.elements(), depth, true));
            }
            return JsonArray.of(elements);
        }
        if (type instanceof MapOf map) {
            JsonObject.Builder members = JsonObject.builder();
            for (int i = 0; i <= random.nextInt(3); i++) {
                members.put("key-" + i, value(map.values(), depth, true));
            }
            return members.build();
        }
        if (type instanceof TypeSchema.Any any) {
            return any(any.name(), depth);
        }
        return scalar((Scalar) type, isTrue);
    }

    private JsonValue any(String name, int depth) {
        if (name.startsWith("v1.JSONSchemaProps")) {
            StructSchema schema = TypeCatalog.kubernetes().named("apiextensions.v1.JSONSchemaProps");
            JsonValue made = struct(schema, depth + 3);
            return switch (name) {
                case "v1.JSONSchemaPropsOrBool" -> random.nextBoolean() ? made : JsonBoolean.of(random.nextBoolean());
                case "v1.JSONSchemaPropsOrArray" -> random.nextBoolean() ? made : JsonArray.of(made, made);
                default -> random.nextBoolean() ? made : JsonArray.of(new JsonString("a"), new JsonString("b"));
            };
        }
        return JsonObject.parse("{\"a\":[1,{\"b\":\"c\"}],\"d\":true}");
    }

    private JsonValue scalar(Scalar type, boolean isTrue) {
        return switch (type) {
            case STRING -> new JsonString("s\u00e4\n" + random.nextInt(100));
            case BYTES -> new JsonString("AP8=");
            case INT32 -> JsonNumber.of(random.nextBoolean() ? Integer.MIN_VALUE : 1 + random.nextInt(1000));
            case INT64 -> JsonNumber.of(random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(1000));
            case NUMBER -> new JsonNumber(random.nextBoolean() ? "0.25" : "1e+30");
            case BOOLEAN -> JsonBoolean.of(isTrue || random.nextBoolean());
            case TIME -> new JsonString("2024-02-29T23:59:58Z");
            case MICRO_TIME -> new JsonString("2024-02-29T23:59:58.000001Z");
            case DURATION -> new JsonString("1m30s");
            case QUANTITY -> new JsonString(random.nextBoolean() ? "1500m" : "3Gi");
            case INT_OR_STRING -> random.nextBoolean() ? new JsonString("50%") : JsonNumber.of(7);
        };
    }
}
