/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import io.kubeloop.apiserver.patch.MergeSchema.Field;
import io.kubeloop.apiserver.patch.MergeSchema.Strategy;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges a strategic merge patch into a document, one object or list at a time. Directives and nulls never become data:
 * values that are new to the document lose them.
 */
final class StrategicMerger {

    JsonObject merge(JsonObject document, JsonObject patch, MergeSchema schema) {
        JsonValue directive = patch.get(Directives.PATCH);
        if (directive != null) {
            return wholeObject(directive, patch);
        }
        Map<String, JsonValue> result = new LinkedHashMap<>(document.members());
        Map<String, JsonValue> rest = new LinkedHashMap<>(patch.members());
        retainKeys(result, rest);
        for (String key : patch.members().keySet()) {
            if (key.startsWith(Directives.SET_ORDER)) {
                mergeInOrder(result, rest, key, schema);
            }
        }
        rest.forEach((key, value) -> mergeMember(result, key, value, schema));
        return JsonObject.of(result);
    }

    private JsonObject wholeObject(JsonValue directive, JsonObject patch) {
        if (directive.equals(Directives.REPLACE)) {
            return (JsonObject) Directives.dropFrom(patch.without(Directives.PATCH));
        }
        if (directive.equals(Directives.DELETE)) {
            return JsonObject.EMPTY;
        }
        throw unknown(directive, patch);
    }

    private static PatchException unknown(JsonValue directive, JsonValue patch) {
        return PatchException.failed(
                "unknown patch type: " + GoText.plain(directive) + " in map: " + GoText.plain(patch));
    }

    /** Removes the members that {@code $retainKeys} does not list; the patch must not set others. */
    private static void retainKeys(Map<String, JsonValue> result, Map<String, JsonValue> rest) {
        JsonValue directive = rest.remove(Directives.RETAIN_KEYS);
        if (directive == null) {
            return;
        }
        if (!(directive instanceof JsonArray names)) {
            throw PatchException.malformed("invalid patch format of retainKeys");
        }
        Set<String> retained = new LinkedHashSet<>(names.strings().toList());
        rest.forEach((key, value) -> {
            boolean sets = value != JsonNull.NULL
                    && !key.startsWith(Directives.DELETE_FROM_SET)
                    && !key.startsWith(Directives.SET_ORDER);
            if (sets && !retained.contains(key)) {
                throw PatchException.malformed("invalid patch format of retainKeys");
            }
        });
        result.keySet().retainAll(retained);
    }

    /** Merges the list that {@code $setElementOrder} names, and removes it from the rest of the patch. */
    private void mergeInOrder(
            Map<String, JsonValue> result, Map<String, JsonValue> rest, String key, MergeSchema schema) {
        List<JsonValue> order = list(rest.remove(key));
        String name = Directives.target(key, Directives.SET_ORDER);
        JsonValue present = result.get(name);
        JsonValue patched = rest.get(name);
        if (present == null && patched == null) {
            return;
        }
        List<JsonValue> before = present == null ? List.of() : list(present);
        List<JsonValue> patch = patched == null ? List.of() : list(patched);
        Field field = schema.field(name);
        requireSubsequence(patch, order, field.mergeKey());
        List<JsonValue> merged;
        if (patched == null) {
            merged = before;
        } else if (present == null) {
            merged = list(Directives.dropFrom(patched));
        } else {
            merged = mergeLists(before, patch, field, false);
        }
        if (before.isEmpty() && patch.isEmpty()) {
            throw PatchException.failed("no elements in any of the given slices");
        }
        MergeList.holdsObjects(before, patch);
        result.put(name, JsonArray.of(MergeList.inOrder(merged, order, before, field.mergeKey())));
        rest.remove(name);
    }

    private static void requireSubsequence(List<JsonValue> patch, List<JsonValue> order, String mergeKey) {
        if (order.isEmpty()) {
            return;
        }
        int next = 0;
        for (JsonValue element : patch) {
            if (Directives.isDelete(element)) {
                continue;
            }
            // Upstream stops at the end of the order: a directive after it is one element too many.
            if (element instanceof JsonObject object && object.has(Directives.PATCH) && next < order.size()) {
                continue;
            }
            JsonValue identity = MergeList.identity(element, mergeKey);
            int found = MergeList.indexOf(order.subList(next, order.size()), identity, mergeKey);
            if (found < 0) {
                throw PatchException.failed(
                        "The order in patch list:\n" + GoText.plain(JsonArray.of(patch)) + "\n doesn't match "
                                + Directives.SET_ORDER + " list:\n" + GoText.plain(JsonArray.of(order)) + "\n");
            }
            next += found + 1;
        }
    }

    private static List<JsonValue> list(@Nullable JsonValue value) {
        if (value instanceof JsonArray array) {
            return array.elements();
        }
        throw PatchException.failed(
                "expected a []interface {}, but received a " + GoText.type(value == null ? JsonNull.NULL : value));
    }

    private void mergeMember(Map<String, JsonValue> result, String key, JsonValue patch, MergeSchema schema) {
        boolean deletes = key.startsWith(Directives.DELETE_FROM_SET);
        String name = deletes ? Directives.target(key, Directives.DELETE_FROM_SET) : key;
        if (patch == JsonNull.NULL) {
            result.remove(name);
            return;
        }
        JsonValue present = result.get(name);
        if (present == null || present.getClass() != patch.getClass()) {
            if (!deletes) {
                result.put(name, Directives.dropFrom(patch));
            }
            return;
        }
        Field field = schema.field(name);
        if (present instanceof JsonObject object) {
            result.put(
                    name,
                    field.strategy() == Strategy.REPLACE
                            ? Directives.dropFrom(patch)
                            : merge(object, (JsonObject) patch, field.schema()));
        } else if (present instanceof JsonArray array && mergesElements(field, deletes)) {
            result.put(name, JsonArray.of(mergeLists(array.elements(), list(patch), field, deletes)));
        } else {
            result.put(name, Directives.dropFrom(patch));
        }
    }

    /** Scalars are removed from any list, also from one that is not a set. */
    private static boolean mergesElements(Field field, boolean deletes) {
        return deletes || field.strategy() == Strategy.MERGE;
    }

    private List<JsonValue> mergeLists(List<JsonValue> before, List<JsonValue> patch, Field field, boolean deletes) {
        if (!mergesElements(field, deletes)) {
            return patch;
        }
        if (before.isEmpty() && patch.isEmpty()) {
            return before;
        }
        if (MergeList.holdsObjects(before, patch)) {
            return mergeByKey(before, patch, field);
        }
        if (deletes) {
            return before.stream().filter(element -> !patch.contains(element)).toList();
        }
        Set<JsonValue> both = new LinkedHashSet<>(before);
        both.addAll(patch);
        return MergeList.inOrder(List.copyOf(both), patch, before, "");
    }

    private List<JsonValue> mergeByKey(List<JsonValue> before, List<JsonValue> patch, Field field) {
        String mergeKey = field.mergeKey();
        if (mergeKey.isEmpty()) {
            throw PatchException.failed("cannot merge lists without merge key for struct");
        }
        List<JsonValue> kept = new ArrayList<>(before);
        List<JsonValue> data = new ArrayList<>();
        boolean replace = false;
        for (JsonValue element : patch) {
            JsonValue directive = ((JsonObject) element).get(Directives.PATCH);
            if (directive == null) {
                data.add(element);
            } else if (directive.equals(Directives.DELETE)) {
                JsonValue identity = MergeList.identity(element, mergeKey);
                kept.removeIf(other -> identity.equals(((JsonObject) other).get(mergeKey)));
            } else if (directive.equals(Directives.REPLACE)) {
                replace = true;
            } else {
                throw directive.equals(Directives.MERGE)
                        ? PatchException.failed("merging lists cannot yet be specified in the patch")
                        : unknown(directive, element);
            }
        }
        if (replace) {
            data.forEach(element -> MergeList.identity(element, mergeKey));
            return data.stream().map(Directives::dropFrom).toList();
        }
        List<JsonValue> merged = new ArrayList<>(kept);
        for (JsonValue element : data) {
            int place = MergeList.indexOf(merged, MergeList.identity(element, mergeKey), mergeKey);
            if (place < 0) {
                merged.add(Directives.dropFrom(element));
            } else {
                merged.set(place, merge((JsonObject) merged.get(place), (JsonObject) element, field.schema()));
            }
        }
        return MergeList.inOrder(merged, data, kept, mergeKey);
    }
}
