/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import io.kubeloop.json.patch.MergeSchema.Field;
import io.kubeloop.json.patch.MergeSchema.Strategy;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Makes a strategic merge patch from two states of a document. */
final class StrategicDiff {

    private StrategicDiff() {}

    static JsonObject between(JsonObject from, JsonObject to, MergeSchema schema, boolean retainKeys) {
        JsonObject.Builder patch = JsonObject.builder();
        boolean changed = false;
        for (Map.Entry<String, JsonValue> member : to.members().entrySet()) {
            changed |= diffMember(patch, member.getKey(), from, member.getValue(), schema);
        }
        for (String name : from.members().keySet()) {
            if (!to.has(name)) {
                patch.put(name, JsonNull.NULL);
                changed = true;
            }
        }
        if (retainKeys && changed) {
            List<String> names = to.members().entrySet().stream()
                    .filter(member -> member.getValue() != JsonNull.NULL)
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
            if (!names.isEmpty()) {
                patch.put(Directives.RETAIN_KEYS, JsonArray.ofStrings(names));
            }
        }
        return patch.build();
    }

    /** Returns whether the patch has a member. */
    private static boolean diffMember(
            JsonObject.Builder patch, String name, JsonObject from, JsonValue wanted, MergeSchema schema) {
        JsonValue present = from.get(name);
        Field field = schema.field(name);
        if (present instanceof JsonObject one
                && wanted instanceof JsonObject other
                && field.strategy() != Strategy.REPLACE) {
            JsonObject inner = between(one, other, field.schema(), field.retainKeys());
            if (inner.isEmpty()) {
                return false;
            }
            patch.put(name, inner);
            return true;
        }
        if (present instanceof JsonArray one
                && wanted instanceof JsonArray other
                && field.strategy() == Strategy.MERGE) {
            return diffLists(patch, name, one.elements(), other.elements(), field);
        }
        if (wanted.equals(present)) {
            return false;
        }
        patch.put(name, wanted);
        return true;
    }

    private static boolean diffLists(
            JsonObject.Builder patch, String name, List<JsonValue> from, List<JsonValue> to, Field field) {
        if (from.isEmpty()) {
            if (!to.isEmpty()) {
                patch.put(name, JsonArray.of(to));
            }
            return !to.isEmpty();
        }
        return MergeList.holdsObjects(from, to)
                ? diffObjects(patch, name, from, to, field)
                : diffScalars(patch, name, from, to);
    }

    private static boolean diffObjects(
            JsonObject.Builder patch, String name, List<JsonValue> from, List<JsonValue> to, Field field) {
        String mergeKey = field.mergeKey();
        List<JsonValue> changes = new ArrayList<>();
        List<JsonValue> deletions = new ArrayList<>();
        Pairing.of(from, to, mergeKey).forEach(pair -> {
            if (pair.to() == null) {
                deletions.add(JsonObject.of(Directives.PATCH, Directives.DELETE)
                        .with(mergeKey, MergeList.identity(pair.either(), mergeKey)));
            } else if (pair.from() == null) {
                changes.add(pair.to());
            } else {
                JsonObject inner =
                        between((JsonObject) pair.from(), (JsonObject) pair.to(), field.schema(), field.retainKeys());
                if (!inner.isEmpty()) {
                    changes.add(inner.with(mergeKey, MergeList.identity(pair.to(), mergeKey)));
                }
            }
        });
        List<JsonValue> elements = new ArrayList<>(MergeList.sorted(changes, to, mergeKey));
        elements.addAll(deletions);
        if (elements.isEmpty() && identities(from, mergeKey).equals(identities(to, mergeKey))) {
            return false;
        }
        if (!to.isEmpty()) {
            patch.put(
                    Directives.SET_ORDER + "/" + name,
                    JsonArray.of(identities(to, mergeKey).stream()
                            .map(identity -> JsonObject.of(mergeKey, identity))
                            .toList()));
        }
        if (!elements.isEmpty()) {
            patch.put(name, JsonArray.of(elements));
        }
        return true;
    }

    private static List<JsonValue> identities(List<JsonValue> list, String mergeKey) {
        return list.stream()
                .map(element -> MergeList.identity(element, mergeKey))
                .toList();
    }

    /**
     * The order of a set has no meaning upstream. Sets are sorted before they are compared. The patch contains an order
     * if the wanted list is not sorted.
     */
    private static boolean diffScalars(
            JsonObject.Builder patch, String name, List<JsonValue> from, List<JsonValue> to) {
        List<JsonValue> additions = new ArrayList<>();
        LinkedHashSet<JsonValue> deletions = new LinkedHashSet<>();
        Pairing.of(from, to, "").forEach(pair -> {
            if (pair.to() == null) {
                deletions.add(pair.either());
            } else if (pair.from() == null) {
                additions.add(pair.to());
            }
        });
        List<JsonValue> sorted = from.stream()
                .sorted(Comparator.comparing(element -> MergeList.sortText(element, "")))
                .toList();
        if (deletions.isEmpty() && sorted.equals(to)) {
            return false;
        }
        if (!to.isEmpty()) {
            patch.put(Directives.SET_ORDER + "/" + name, JsonArray.of(to));
        }
        if (!deletions.isEmpty()) {
            patch.put(Directives.DELETE_FROM_SET + "/" + name, JsonArray.of(deletions));
        }
        if (!additions.isEmpty()) {
            patch.put(name, JsonArray.of(MergeList.sorted(additions, to, "")));
        }
        return !to.isEmpty() || !deletions.isEmpty();
    }
}
