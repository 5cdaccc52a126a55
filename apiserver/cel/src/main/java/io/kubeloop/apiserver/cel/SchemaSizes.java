/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of the values of a schema, as far as the size of a request limits them (upstream: {@code
 * apiserver/pkg/cel/common/schemas.go}). Static functions only.
 */
final class SchemaSizes {

    /** The path of the elements of a list. */
    static final String ITEMS = "@items";
    /** The path of the values of a map. */
    static final String VALUES = "@values";
    /** The path of the keys of a map. */
    static final String KEYS = "@keys";

    private static final long REQUEST = 3L * 1024 * 1024;
    private static final long TEXT = REQUEST - 2;
    private static final long TIME = 32;
    private static final long DATE = 12;

    private SchemaSizes() {}

    /**
     * Returns the size of the value at a path; null if the schema does not state it.
     *
     * @param path a variable, and the names and steps below it
     */
    static @Nullable Size of(@Nullable JsonObject root, List<String> path) {
        if (root == null || path.isEmpty()) {
            return null;
        }
        JsonObject schema = root;
        for (String step : path.subList(1, path.size())) {
            if (step.equals(KEYS)) {
                return isMap(schema) ? new Size(0, 0) : null;
            }
            JsonObject below = below(schema, step);
            if (below == null) {
                return null;
            }
            schema = CelSchemas.embedded(below);
        }
        return new Size(0, most(schema));
    }

    private static boolean isMap(JsonObject schema) {
        return schema.get("additionalProperties") instanceof JsonObject;
    }

    private static @Nullable JsonObject below(JsonObject schema, String step) {
        Object below;
        if (step.equals(ITEMS) || step.equals(VALUES)) {
            below = schema.has("items") ? schema.get("items") : schema.get("additionalProperties");
        } else {
            String property = CelNames.unescape(step);
            below = property == null ? null : schema.object("properties").get(property);
        }
        return below instanceof JsonObject object ? object : null;
    }

    private static long most(JsonObject schema) {
        Long length = schema.number("maxLength");
        if (CelSchemas.isIntOrString(schema)) {
            return length == null ? TEXT : 4 * Math.max(0, length);
        }
        return switch (schema.string("type")) {
            case "array" -> limit(schema, "maxItems", TEXT / (least(schema.object("items")) + 1));
            case "object" ->
                isMap(schema)
                        ? limit(schema, "maxProperties", TEXT / (least(schema.object("additionalProperties")) + 6))
                        : 0;
            case "string" -> mostCharacters(schema, length);
            default -> 0;
        };
    }

    private static long limit(JsonObject schema, String name, long otherwise) {
        Long stated = schema.number(name);
        return stated == null ? otherwise : Math.max(0, stated);
    }

    private static long mostCharacters(JsonObject schema, @Nullable Long length) {
        return switch (schema.string("format")) {
            case "duration", "date-time" -> TIME;
            case "date" -> DATE;
            case "byte" -> length == null ? TEXT : Math.max(0, length);
            default -> {
                if (length != null) {
                    yield 4 * Math.max(0, length);
                }
                yield schema.array("enum").isEmpty()
                        ? TEXT
                        : schema.array("enum").elements().stream()
                                .filter(JsonString.class::isInstance)
                                .mapToLong(value -> ((JsonString) value).value().length())
                                .max()
                                .orElse(0);
            }
        };
    }

    /** Returns how many values fit into a request at most, with a comma between them. */
    static long mostValues(JsonObject schema) {
        return REQUEST / (least(schema) + 1);
    }

    /** Returns the length of the shortest JSON of a value. */
    private static long least(JsonObject schema) {
        if (CelSchemas.isIntOrString(schema)) {
            return 1;
        }
        return switch (schema.string("type")) {
            case "boolean" -> 4;
            case "integer", "number" -> 1;
            case "string" ->
                switch (schema.string("format")) {
                    case "duration" -> 3;
                    case "date" -> DATE;
                    case "date-time" -> 21;
                    default -> 2;
                };
            case "object" -> isMap(schema) ? 2 : leastObject(schema);
            default -> 2;
        };
    }

    private static long leastObject(JsonObject schema) {
        List<String> required = schema.array("required").strings().toList();
        return 2
                + schema.object("properties").members().entrySet().stream()
                        .filter(property -> required.contains(property.getKey())
                                && property.getValue() instanceof JsonObject below
                                && below.get("default") == null)
                        .mapToLong(property -> property.getKey().length()
                                + least((JsonObject) Objects.requireNonNull(property.getValue()))
                                + 4)
                        .sum();
    }
}
