/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of list types, map types and the keys of list-maps. Used for one validation. */
final class ListRules {

    private static final String LIST_TYPE = ".x-kubernetes-list-type";
    private static final String MAP_TYPE = ".x-kubernetes-map-type";
    private static final String KEYS = ".x-kubernetes-list-map-keys";

    private final FieldErrors problems;

    ListRules(FieldErrors problems) {
        this.problems = problems;
    }

    void check(SchemaProps schema, String path) {
        String mapType = schema.mapType();
        String listType = schema.listType();
        if (mapType != null) {
            requireType(schema, "object", "must be object if x-kubernetes-map-type is specified", path);
            supported(path + MAP_TYPE, mapType, List.of("atomic", "granular"));
        }
        if (listType != null) {
            boolean fits = requireType(schema, "array", "must be array if x-kubernetes-list-type is specified", path);
            SchemaProps items = schema.items();
            if (fits && listType.equals("set") && items != null) {
                checkSetItems(items, path + ".items");
            }
            supported(path + LIST_TYPE, listType, List.of("atomic", "set", "map"));
        }
        if (!schema.listMapKeys().isEmpty() && !"map".equals(listType)) {
            String detail = "must be map if x-kubernetes-list-map-keys is non-empty";
            problems.add(
                    listType == null
                            ? FieldError.required(path + LIST_TYPE, detail)
                            : FieldError.invalid(path + LIST_TYPE, listType, detail));
        }
        if ("map".equals(listType)) {
            checkMap(schema, path);
        }
        if (listType != null && (listType.equals("map") || listType.equals("set"))) {
            checkNulls(schema, listType, path);
        }
    }

    private boolean requireType(SchemaProps schema, String type, String detail, String path) {
        if (schema.type().equals(type)) {
            return true;
        }
        String at = path + ".type";
        problems.add(
                schema.type().isEmpty()
                        ? FieldError.required(at, detail)
                        : FieldError.invalid(at, schema.type(), detail));
        return false;
    }

    private void supported(String path, String value, List<String> supported) {
        if (!supported.contains(value)) {
            problems.notSupported(path, value, supported);
        }
    }

    private void checkSetItems(SchemaProps items, String path) {
        String detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        String listType = items.listType();
        if (items.type().equals("array") && listType != null && !listType.equals("atomic")) {
            problems.invalid(path + LIST_TYPE, listType, detail);
        }
        if (items.type().equals("object") && !"atomic".equals(items.mapType())) {
            // As upstream, the message shows the list type.
            problems.invalid(path + MAP_TYPE, orNull(listType), detail);
        }
    }

    private static JsonValue orNull(@Nullable String text) {
        return text == null ? JsonNull.NULL : new JsonString(text);
    }

    private void checkMap(SchemaProps schema, String path) {
        SchemaProps items = schema.items();
        if (schema.listMapKeys().isEmpty()) {
            problems.required(path + KEYS, "must not be empty if x-kubernetes-list-type is map");
        }
        if (items == null) {
            if (schema.itemSchemas().isEmpty()) {
                problems.required(path + ".items", "must have a schema if x-kubernetes-list-type is map");
            }
            return;
        }
        if (!items.type().equals("object")) {
            problems.invalid(
                    path + ".items.type",
                    items.type(),
                    "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        Set<String> seen = new HashSet<>();
        JsonArray keys = JsonArray.ofStrings(schema.listMapKeys());
        for (String key : schema.listMapKeys()) {
            SchemaProps property = items.properties().get(key);
            if (property == null) {
                problems.invalid(path + KEYS, keys, "entries must all be names of item properties");
            } else if (property.type().equals("array") || property.type().equals("object")) {
                problems.invalid(
                        path + ".items.properties[" + key + "].type",
                        items.type(),
                        "must be a scalar type if parent array's x-kubernetes-list-type is map");
            }
            if (!seen.add(key)) {
                problems.invalid(path + KEYS, keys, "must not contain duplicate entries");
            }
        }
    }

    private void checkNulls(SchemaProps schema, String listType, String path) {
        SchemaProps items = schema.items();
        if (items == null) {
            return;
        }
        if (items.nullable()) {
            problems.forbidden(
                    path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is " + listType);
        }
        if (!listType.equals("map")) {
            return;
        }
        for (String key : schema.listMapKeys()) {
            SchemaProps property = items.properties().get(key);
            if (property == null) {
                continue;
            }
            String at = path + ".items.properties[" + key + "]";
            if (!items.required().contains(key) && property.initial() == null) {
                problems.required(
                        at + ".default",
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                + " property");
            }
            if (property.nullable()) {
                problems.forbidden(
                        at + ".nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
            }
        }
    }
}
