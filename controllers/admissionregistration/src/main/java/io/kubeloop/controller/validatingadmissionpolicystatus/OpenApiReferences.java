/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.validatingadmissionpolicystatus;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the references between the schemas of an OpenAPI document (upstream: {@code cel/openapi/resolver}). Used for
 * one kind.
 */
final class OpenApiReferences {

    private static final String PREFIX = "#/components/schemas/";
    private static final JsonObject ANY_OBJECT = JsonObject.EMPTY.with("type", "object");

    private final JsonObject schemas;
    private final Deque<String> open = new ArrayDeque<>();

    private OpenApiReferences(JsonObject schemas) {
        this.schemas = schemas;
    }

    /** Returns the schema of a kind, in which a schema that contains itself ends in an object without properties. */
    static Optional<JsonObject> schema(JsonObject document, ServedKind kind) {
        JsonObject schemas = document.object("components", "schemas");
        for (Map.Entry<String, JsonValue> entry : schemas.members().entrySet()) {
            if (entry.getValue() instanceof JsonObject schema && isOf(schema, kind)) {
                return Optional.of(
                        new OpenApiReferences(schemas).resolve(JsonObject.EMPTY.with("$ref", PREFIX + entry.getKey())));
            }
        }
        return Optional.empty();
    }

    private static boolean isOf(JsonObject schema, ServedKind kind) {
        return schema.array("x-kubernetes-group-version-kind")
                .objects()
                .anyMatch(found -> found.string("group").equals(kind.group())
                        && found.string("version").equals(kind.version())
                        && found.string("kind").equals(kind.kind()));
    }

    private static @Nullable String reference(JsonObject schema) {
        if (schema.has("$ref")) {
            return schema.string("$ref");
        }
        return schema.array("allOf")
                .objects()
                .map(OpenApiReferences::reference)
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    private JsonObject resolve(JsonObject schema) {
        String reference = reference(schema);
        if (reference == null) {
            return resolveMembers(schema);
        }
        String name = reference.startsWith(PREFIX) ? reference.substring(PREFIX.length()) : reference;
        if (open.contains(name)) {
            return ANY_OBJECT;
        }
        open.push(name);
        try {
            return resolveMembers(schemas.object(name));
        } finally {
            open.pop();
        }
    }

    private JsonObject resolveMembers(JsonObject schema) {
        if (schema.string("format").equals("int-or-string")) {
            return JsonObject.EMPTY.with("x-kubernetes-int-or-string", true);
        }
        JsonObject.Builder resolved = schema.toBuilder();
        JsonObject properties = schema.object("properties");
        if (!properties.isEmpty()) {
            JsonObject.Builder all = properties.toBuilder();
            properties.members().forEach((name, property) -> {
                if (property instanceof JsonObject inner) {
                    all.put(name, resolve(inner));
                }
            });
            resolved.put("properties", all.build());
        }
        for (String member : new String[] {"additionalProperties", "items"}) {
            if (schema.get(member) instanceof JsonObject inner) {
                resolved.put(member, resolve(inner));
            }
        }
        return resolved.build();
    }
}
