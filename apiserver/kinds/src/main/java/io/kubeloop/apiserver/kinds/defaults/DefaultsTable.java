/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The defaults of all types. Immutable.
 *
 * <p>A table is a text. A line without indentation names a type; each indented line below it is a field with its
 * default, such as {@code dnsPolicy "ClusterFirst"}. Beside the values, a type may have a function, which runs before
 * them.
 */
final class DefaultsTable {

    private static final Map<String, Map<String, JsonValue>> VALUES = new HashMap<>();
    private static final Map<String, UnaryOperator<JsonObject>> FUNCTIONS = new HashMap<>();

    static {
        List.of(PodDefaults.VALUES, WorkloadDefaults.VALUES, ServerDefaults.VALUES, InfrastructureDefaults.VALUES)
                .forEach(DefaultsTable::read);
        List.of(
                        PodDefaults.FUNCTIONS,
                        WorkloadDefaults.FUNCTIONS,
                        ServerDefaults.FUNCTIONS,
                        InfrastructureDefaults.FUNCTIONS)
                .forEach(FUNCTIONS::putAll);
    }

    private DefaultsTable() {}

    private static void read(String table) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        for (String line : table.lines().toList()) {
            if (!line.startsWith(" ")) {
                fields = VALUES.computeIfAbsent(line, type -> new LinkedHashMap<>());
            } else {
                String[] words = line.strip().split(" ", 2);
                fields.put(words[0], JsonValue.parse(words[1]));
            }
        }
    }

    /** Returns the types that have defaults of their own. */
    static List<String> types() {
        return Stream.concat(VALUES.keySet().stream(), FUNCTIONS.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the default values of a type, by field. */
    static Map<String, JsonValue> values(String type) {
        return VALUES.getOrDefault(type, Map.of());
    }

    /** Returns the function that sets those defaults of a type that depend on other fields. */
    static UnaryOperator<JsonObject> function(String type) {
        return FUNCTIONS.getOrDefault(type, UnaryOperator.identity());
    }
}
