/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Finds the keywords of JSON Schema that no structural schema has. Static functions only. */
final class UnsupportedFields {

    /** The keywords and the names in upstream's messages. */
    private static final Map<String, String> KEYWORDS = Map.of(
            "id", "id",
            "$schema", "schema",
            "$ref", "$ref",
            "patternProperties", "patternProperties",
            "dependencies", "dependencies",
            "additionalItems", "additionalItems",
            "definitions", "definitions");

    private UnsupportedFields() {}

    /** Returns the error of the first such keyword; null if there is none. */
    static @Nullable String firstIn(SchemaProps schema) {
        AtomicReference<@Nullable String> found = new AtomicReference<>();
        schema.has(node -> {
            found.set(errorOf(node));
            return found.get() != null;
        });
        return found.get();
    }

    private static @Nullable String errorOf(SchemaProps node) {
        Optional<String> keyword = KEYWORDS.entrySet().stream()
                .filter(entry -> isSet(node.source().get(entry.getKey())))
                .map(Map.Entry::getValue)
                .sorted()
                .findFirst();
        if (keyword.isPresent()) {
            return "OpenAPIV3Schema '" + keyword.get() + "' is not supported";
        }
        if (node.source().get("x-kubernetes-preserve-unknown-fields") == JsonBoolean.FALSE) {
            return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
        }
        return node.itemSchemas().isEmpty() ? null : "OpenAPIV3Schema 'items' must be a schema, but is an array";
    }

    private static boolean isSet(@Nullable JsonValue value) {
        return (value instanceof JsonString text && !text.value().isEmpty())
                || (value instanceof JsonObject object && !object.isEmpty())
                || (value instanceof JsonArray array && !array.isEmpty())
                || value instanceof JsonBoolean;
    }
}
