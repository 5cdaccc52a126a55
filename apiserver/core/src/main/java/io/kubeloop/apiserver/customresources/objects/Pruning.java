/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.objects;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes the members of objects that a schema does not have. Static functions only. */
public final class Pruning {

    private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

    private Pruning() {}

    /** Returns a value without unknown members. Kind, version and metadata of embedded objects stay. */
    public static JsonValue prune(JsonValue value, @Nullable SchemaProps schema) {
        return prune(value, schema, "", new ArrayList<>());
    }

    /**
     * Returns a whole object without unknown members.
     *
     * @param unknown receives the paths of the removed members
     */
    public static JsonObject pruneObject(JsonObject object, SchemaProps schema, List<String> unknown) {
        return (JsonObject) prune(object, schema.asResource(), "", unknown);
    }

    private static JsonValue prune(JsonValue value, @Nullable SchemaProps schema, String path, List<String> unknown) {
        if (schema != null && schema.preservesUnknown()) {
            return preserve(value, schema, path, unknown);
        }
        if (value instanceof JsonArray array) {
            SchemaProps items = schema == null ? null : schema.items();
            return elements(array, path, (element, at) -> prune(element, items, at, unknown));
        }
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        Map<String, JsonValue> kept = new LinkedHashMap<>();
        object.members().forEach((name, member) -> {
            if (schema != null && schema.embedded() && META.contains(name)) {
                kept.put(name, member);
            } else if (schema != null && isKnown(schema, name)) {
                kept.put(name, prune(member, schema.member(name), at(path, name), unknown));
            } else if (!path.isEmpty() || !META.contains(name)) {
                unknown.add(at(path, name));
            }
        });
        return JsonObject.of(kept);
    }

    /** Keeps unknown members, but prunes the members below them that the schema describes. */
    private static JsonValue preserve(
            JsonValue value, @Nullable SchemaProps schema, String path, List<String> unknown) {
        if (schema == null) {
            return value;
        }
        if (value instanceof JsonArray array) {
            return elements(array, path, (element, at) -> preserve(element, schema.items(), at, unknown));
        }
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        Map<String, JsonValue> kept = new LinkedHashMap<>(object.members());
        kept.replaceAll((name, member) -> (schema.embedded() && META.contains(name)) || !isKnown(schema, name)
                ? member
                : prune(member, schema.member(name), at(path, name), unknown));
        return JsonObject.of(kept);
    }

    private static boolean isKnown(SchemaProps schema, String name) {
        return schema.properties().containsKey(name) || schema.additionalProperties() != null;
    }

    private static String at(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    @FunctionalInterface
    private interface ElementChange {
        JsonValue apply(JsonValue element, String path);
    }

    private static JsonArray elements(JsonArray array, String path, ElementChange change) {
        List<JsonValue> changed = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            changed.add(change.apply(array.get(i), path + "[" + i + "]"));
        }
        return JsonArray.of(changed);
    }

    /** Returns a value without {@code null} members that are neither allowed nor replaced by a default. */
    public static JsonValue pruneNulls(JsonValue value, @Nullable SchemaProps schema) {
        if (value instanceof JsonArray array) {
            SchemaProps items = schema == null ? null : schema.items();
            return elements(array, "", (element, at) -> pruneNulls(element, items));
        }
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        Map<String, JsonValue> kept = new LinkedHashMap<>();
        object.members().forEach((name, member) -> {
            SchemaProps own = schema == null ? null : schema.member(name);
            boolean dropped = member == JsonNull.NULL && own != null && !own.nullable() && own.initial() == null;
            if (!dropped) {
                kept.put(name, pruneNulls(member, own));
            }
        });
        return JsonObject.of(kept);
    }
}
