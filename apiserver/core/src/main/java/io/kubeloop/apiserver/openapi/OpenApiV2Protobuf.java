/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.json.protobuf.WireWriter;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Encodes an OpenAPI v2 document in protocol buffers, the only format that kubectl up to 1.26 reads. The field numbers
 * are those of gnostic's {@code OpenAPIv2.proto}. Thread-safe: stateless.
 */
final class OpenApiV2Protobuf {

    private static final Map<String, Integer> OPERATIONS =
            Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "options", 6, "head", 7, "patch", 8);

    /** The field numbers of the scalar members of a schema. */
    private static final Map<String, Integer> SCALARS = Map.ofEntries(
            Map.entry("$ref", 1),
            Map.entry("format", 2),
            Map.entry("title", 3),
            Map.entry("description", 4),
            Map.entry("multipleOf", 6),
            Map.entry("maximum", 7),
            Map.entry("exclusiveMaximum", 8),
            Map.entry("minimum", 9),
            Map.entry("exclusiveMinimum", 10),
            Map.entry("maxLength", 11),
            Map.entry("minLength", 12),
            Map.entry("pattern", 13),
            Map.entry("maxItems", 14),
            Map.entry("minItems", 15),
            Map.entry("uniqueItems", 16),
            Map.entry("maxProperties", 17),
            Map.entry("minProperties", 18));

    /** The scalar members that are floating-point numbers. */
    private static final Set<String> DECIMALS = Set.of("multipleOf", "maximum", "minimum");

    private OpenApiV2Protobuf() {}

    static byte[] document(JsonObject document) {
        WireWriter out = new WireWriter().string(1, document.string("swagger"));
        out.message(
                2,
                new WireWriter()
                        .string(1, document.string("info", "title"))
                        .string(2, document.string("info", "version")));
        WireWriter paths = new WireWriter();
        document.object("paths").members().forEach((path, item) -> paths.message(2, named(path, pathItem(item))));
        out.message(8, paths);
        out.message(9, schemas(document.object("definitions")));
        WireWriter none = new WireWriter().string(1, "BearerToken").message(2, new WireWriter());
        out.message(12, new WireWriter().message(1, none));
        JsonObject token = document.object("securityDefinitions", "BearerToken");
        WireWriter key = new WireWriter()
                .string(1, token.string("type"))
                .string(2, token.string("name"))
                .string(3, token.string("in"))
                .string(4, token.string("description"));
        out.message(13, new WireWriter().message(1, named("BearerToken", new WireWriter().message(2, key))));
        return out.toByteArray();
    }

    private static WireWriter named(String name, WireWriter value) {
        return new WireWriter().string(1, name).message(2, value);
    }

    private static WireWriter pathItem(JsonValue item) {
        WireWriter out = new WireWriter();
        ((JsonObject) item).members().forEach((name, value) -> {
            Integer number = OPERATIONS.get(name);
            if (number != null) {
                out.message(number, operation((JsonObject) value));
            } else if (name.equals("parameters")) {
                parameters(out, 9, (JsonArray) value);
            }
        });
        return out;
    }

    private static WireWriter operation(JsonObject operation) {
        WireWriter out = new WireWriter();
        strings(out, 1, operation.array("tags"));
        out.string(5, operation.string("operationId"));
        strings(out, 6, operation.array("produces"));
        strings(out, 7, operation.array("consumes"));
        parameters(out, 8, operation.array("parameters"));
        WireWriter responses = new WireWriter();
        operation.object("responses").members().forEach((code, response) -> {
            JsonObject described = (JsonObject) response;
            WireWriter value = new WireWriter().string(1, described.string("description"));
            if (described.get("schema") instanceof JsonObject schema) {
                value.message(2, new WireWriter().message(1, schema(schema)));
            }
            responses.message(1, named(code, new WireWriter().message(1, value)));
        });
        out.message(9, responses);
        strings(out, 10, operation.array("schemes"));
        extensions(out, 13, operation);
        return out;
    }

    private static void strings(WireWriter out, int number, JsonArray strings) {
        strings.strings().forEach(text -> out.string(number, text));
    }

    private static void parameters(WireWriter out, int number, JsonArray parameters) {
        parameters.objects().forEach(parameter -> {
            WireWriter value;
            if (parameter.string("in").equals("body")) {
                WireWriter body = new WireWriter()
                        .string(2, "body")
                        .string(3, "body")
                        .number(4, parameter.bool("required") ? 1 : 0)
                        .message(5, schema(parameter.object("schema")));
                value = new WireWriter().message(1, body);
            } else {
                value = new WireWriter().message(2, nonBody(parameter));
            }
            out.message(number, new WireWriter().message(1, value));
        });
    }

    private static WireWriter nonBody(JsonObject parameter) {
        boolean inPath = parameter.string("in").equals("path");
        WireWriter fields = new WireWriter()
                .number(1, inPath ? 1 : 0)
                .string(2, parameter.string("in"))
                .string(4, parameter.string("name"))
                .string(inPath ? 5 : 6, parameter.string("type"))
                .number(inPath ? 19 : 20, 1);
        return new WireWriter().message(inPath ? 4 : 3, fields);
    }

    private static WireWriter schemas(JsonObject definitions) {
        WireWriter out = new WireWriter();
        definitions.members().forEach((name, value) -> out.message(1, named(name, schema((JsonObject) value))));
        return out;
    }

    private static WireWriter schema(JsonObject schema) {
        WireWriter out = new WireWriter();
        schema.members().forEach((name, value) -> member(out, name, value));
        extensions(out, 31, schema);
        return out;
    }

    private static void member(WireWriter out, String name, JsonValue value) {
        Integer scalar = SCALARS.get(name);
        if (scalar == null) {
            structure(out, name, value);
        } else if (value instanceof JsonString string) {
            out.string(scalar, string.value());
        } else if (value instanceof JsonNumber number && DECIMALS.contains(name)) {
            out.fixed64(scalar, Double.parseDouble(number.text()));
        } else if (value instanceof JsonNumber number) {
            Long whole = number.toLong();
            out.number(scalar, whole == null ? 0 : whole);
        } else {
            out.number(scalar, value == JsonBoolean.TRUE ? 1 : 0);
        }
    }

    private static void structure(WireWriter out, String name, JsonValue value) {
        switch (name) {
            case "type" -> {
                WireWriter types = new WireWriter();
                List<JsonValue> all = value instanceof JsonArray array ? array.elements() : List.of(value);
                strings(types, 1, JsonArray.of(all));
                out.message(22, types);
            }
            case "required" -> strings(out, 19, (JsonArray) value);
            case "enum" -> ((JsonArray) value).forEach(element -> out.message(20, any(element)));
            case "properties" -> out.message(25, schemas((JsonObject) value));
            case "items" -> {
                if (value instanceof JsonObject items) {
                    out.message(23, new WireWriter().message(1, schema(items)));
                }
            }
            case "additionalProperties" -> {
                WireWriter item = new WireWriter();
                if (value instanceof JsonObject values) {
                    item.message(1, schema(values));
                } else {
                    item.number(2, value == JsonBoolean.TRUE ? 1 : 0);
                }
                out.message(21, item);
            }
            case "externalDocs" -> {
                JsonObject docs = (JsonObject) value;
                out.message(
                        29,
                        new WireWriter().string(1, docs.string("description")).string(2, docs.string("url")));
            }
            case "example" -> out.message(30, any(value));
            default -> {
                // All other members of a structural schema in version 2 are extensions, which follow.
            }
        }
    }

    /** JSON is a subset of YAML, so the JSON text of a value is its YAML text. */
    private static WireWriter any(JsonValue value) {
        return new WireWriter().string(2, value + "\n");
    }

    private static void extensions(WireWriter out, int number, JsonObject of) {
        of.members().forEach((name, value) -> {
            if (name.startsWith("x-")) {
                out.message(number, named(name, any(value)));
            }
        });
    }
}
