/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.JsonStrings;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server-side apply of single fields (upstream: the apply configurations of client-go). The patch has exactly the
 * fields that were set, zeros and empty lists included, so the manager owns no other field.
 *
 * <pre>{@code
 * client.resource(ResourceTypes.DEPLOYMENTS)
 *         .patch(name, ApplyPatch.of(ResourceTypes.DEPLOYMENTS, name)
 *                 .set("spec.replicas", 0)
 *                 .toPatch("autoscaler", true));
 * }</pre>
 *
 * <p>{@link ResourceClient#apply} applies a whole record instead. Not thread-safe; O(n) in the depth of a path.
 */
public final class ApplyPatch {

    private final Map<String, Object> document = new LinkedHashMap<>();

    private ApplyPatch() {}

    /** Returns a patch of this object that sets no field yet. Names that are empty are left out. */
    public static ApplyPatch of(ResourceType<?> type, ObjectName name) {
        ApplyPatch patch = new ApplyPatch()
                .set("apiVersion", type.apiVersion())
                .set("kind", type.kind())
                .set("metadata.name", name.name());
        return name.namespace().isEmpty() ? patch : patch.set("metadata.namespace", name.namespace());
    }

    /**
     * Sets a field.
     *
     * @param path member names, separated by dots, such as {@code spec.replicas}. A name that has a dot itself, such as
     *     the key of a label, is set as a key of a map: {@code set("metadata.labels", Map.of("example.com/a", "b"))}
     * @param value a string, number, boolean, null, list, or map with strings as keys; values inside lists and maps are
     *     such values, too
     * @throws IllegalArgumentException if a part of the path is empty or leads through a value that is no map, or if
     *     the value is of another type
     */
    public ApplyPatch set(String path, @Nullable Object value) {
        String[] names = path.split("\\.", -1);
        Map<String, Object> at = document;
        for (int i = 0; i < names.length - 1; i++) {
            at = inner(path, at, names[i]);
        }
        at.put(named(path, names[names.length - 1]), copy(path, value));
        return this;
    }

    @SuppressWarnings("unchecked") // copy() makes every map of this class
    private static Map<String, Object> inner(String path, Map<String, Object> outer, String name) {
        Object inside = outer.computeIfAbsent(named(path, name), absent -> new LinkedHashMap<String, Object>());
        if (inside instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw new IllegalArgumentException("Cannot set " + path + ": " + name + " is already set to " + inside);
    }

    private static String named(String path, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("The path \"" + path + "\" has an empty name");
        }
        return name;
    }

    private static Object copy(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, inside) -> {
                if (!(key instanceof String name)) {
                    throw new IllegalArgumentException("Cannot set " + path + ": the key " + key + " is no string");
                }
                copy.put(name, copy(path, inside));
            });
            return copy;
        }
        if (value instanceof List<?> list) {
            return new ArrayList<>(
                    list.stream().map(inside -> copy(path, inside)).toList());
        }
        if (value == null) {
            return Null.NULL;
        }
        boolean isFinite = !(value instanceof Double d && !Double.isFinite(d))
                && !(value instanceof Float f && !Float.isFinite(f));
        if (isFinite && (value instanceof String || value instanceof Number || value instanceof Boolean)) {
            return value;
        }
        throw new IllegalArgumentException(
                "Cannot set " + path + ": JSON has no form for " + value + " (" + value.getClass() + ")");
    }

    private enum Null {
        NULL
    }

    /**
     * Returns the patch.
     *
     * @param fieldManager the name of the program that owns the fields
     * @param force whether it takes over fields of other managers, rather than fail with a conflict
     */
    public Patch toPatch(String fieldManager, boolean force) {
        StringBuilder json = new StringBuilder();
        write(json, document);
        return Patch.apply(json.toString(), fieldManager, force);
    }

    private static void write(StringBuilder json, Object value) {
        if (value instanceof Map<?, ?> map) {
            json.append('{');
            map.forEach((name, inside) -> {
                separate(json, '{');
                JsonStrings.quote(json, (String) name);
                json.append(':');
                write(json, inside);
            });
            json.append('}');
        } else if (value instanceof List<?> list) {
            json.append('[');
            list.forEach(inside -> {
                separate(json, '[');
                write(json, inside);
            });
            json.append(']');
        } else if (value instanceof String text) {
            JsonStrings.quote(json, text);
        } else {
            json.append(value == Null.NULL ? "null" : value.toString());
        }
    }

    private static void separate(StringBuilder json, char opening) {
        if (json.charAt(json.length() - 1) != opening) {
            json.append(',');
        }
    }
}
