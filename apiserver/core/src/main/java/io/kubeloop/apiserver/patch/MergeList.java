/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operations on lists whose elements have an identity: objects with a merge key, or scalars, which are their own
 * identity. Thread-safe: stateless.
 */
final class MergeList {

    private MergeList() {}

    /** Returns whether the elements of both lists are objects; rejects mixed lists and lists of lists. */
    static boolean holdsObjects(List<JsonValue> one, List<JsonValue> other) {
        String common = null;
        for (JsonValue element : concat(one, other)) {
            String type = GoText.type(element);
            if (common == null && element instanceof JsonArray) {
                throw PatchException.unprocessable("lists of lists are not supported");
            }
            if (common == null) {
                common = type;
            } else if (!common.equals(type)) {
                JsonArray both = JsonArray.of(List.of(JsonArray.of(one), JsonArray.of(other)));
                throw PatchException.failed("list element types are not identical: " + GoText.plain(both));
            }
        }
        return GoText.type(JsonObject.EMPTY).equals(common);
    }

    private static List<JsonValue> concat(List<JsonValue> one, List<JsonValue> other) {
        List<JsonValue> both = new ArrayList<>(one);
        both.addAll(other);
        return both;
    }

    /** Returns the identity of an element: the value of the merge key, or the scalar itself. */
    static JsonValue identity(JsonValue element, String mergeKey) {
        if (mergeKey.isEmpty()) {
            return element;
        }
        @Nullable JsonValue identity = element instanceof JsonObject object ? object.get(mergeKey) : null;
        if (identity == null) {
            throw PatchException.failed(
                    "map: " + GoText.plain(element) + " does not contain declared merge key: " + mergeKey);
        }
        return identity;
    }

    /** Returns the text by which elements are sorted. */
    static String sortText(JsonValue element, String mergeKey) {
        JsonValue identity = identity(element, mergeKey);
        return identity instanceof JsonString string ? string.value() : identity.toString();
    }

    /** Returns the index of the first element with this identity, or -1. */
    static int indexOf(List<JsonValue> list, JsonValue identity, String mergeKey) {
        for (int i = 0; i < list.size(); i++) {
            JsonValue element = list.get(i);
            JsonValue other =
                    mergeKey.isEmpty() ? element : element instanceof JsonObject object ? object.get(mergeKey) : null;
            if (identity.equals(other)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the list in the given order, whose elements all need the merge key. Deletions come last. Elements that
     * the order does not name come first, as in upstream's sort.
     */
    static List<JsonValue> sorted(List<JsonValue> list, List<JsonValue> order, String mergeKey) {
        return sorted(list, places(order, mergeKey), mergeKey);
    }

    private static List<JsonValue> sorted(List<JsonValue> list, Map<JsonValue, Integer> places, String mergeKey) {
        List<JsonValue> sorted = new ArrayList<>(list.size());
        List<JsonValue> deletions = new ArrayList<>();
        boolean strays = false;
        for (JsonValue element : list) {
            strays |= !places.containsKey(identity(element, mergeKey));
            (Directives.isDelete(element) ? deletions : sorted).add(element);
        }
        if (strays) {
            sorted = inserted(sorted, places, mergeKey);
        } else {
            sorted.sort(Comparator.comparingInt(element -> place(places, element, mergeKey)));
        }
        sorted.addAll(deletions);
        return sorted;
    }

    private static List<JsonValue> inserted(List<JsonValue> list, Map<JsonValue, Integer> places, String mergeKey) {
        List<JsonValue> sorted = new ArrayList<>(list.size());
        for (JsonValue element : list) {
            int place = place(places, element, mergeKey);
            int at = sorted.size();
            while (at > 0 && (place < 0 || passes(place, place(places, sorted.get(at - 1), mergeKey)))) {
                at--;
            }
            sorted.add(at, element);
        }
        return sorted;
    }

    private static boolean passes(int place, int other) {
        return other < 0 || place < other;
    }

    private static int place(Map<JsonValue, Integer> places, JsonValue element, String mergeKey) {
        return places.getOrDefault(identity(element, mergeKey), -1);
    }

    /** Returns the first index of each identity in a list. */
    private static Map<JsonValue, Integer> places(List<JsonValue> list, String mergeKey) {
        Map<JsonValue, Integer> places = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            places.putIfAbsent(identity(list.get(i), mergeKey), i);
        }
        return places;
    }

    /**
     * Returns the merged list in its final order. Elements that the patch names are in the order of the patch. All
     * others keep their order, and come before the first named element that they preceded on the server.
     */
    static List<JsonValue> inOrder(
            List<JsonValue> merged, List<JsonValue> named, List<JsonValue> onServer, String mergeKey) {
        List<JsonValue> fromPatch = new ArrayList<>();
        List<JsonValue> serverOnly = new ArrayList<>();
        Map<JsonValue, Integer> inPatch = places(named, mergeKey);
        for (JsonValue element : merged) {
            boolean isNamed = inPatch.containsKey(identity(element, mergeKey));
            (isNamed ? fromPatch : serverOnly).add(element);
        }
        fromPatch = sorted(fromPatch, inPatch, mergeKey);
        Map<JsonValue, Integer> places = places(onServer, mergeKey);
        serverOnly = sorted(serverOnly, places, mergeKey);
        List<JsonValue> result = new ArrayList<>(merged.size());
        int next = 0;
        for (JsonValue element : fromPatch) {
            int place = place(places, element, mergeKey);
            while (next < serverOnly.size()) {
                int other = place(places, serverOnly.get(next), mergeKey);
                if (place < 0 || other < 0 || other >= place) {
                    break;
                }
                result.add(serverOnly.get(next++));
            }
            result.add(element);
        }
        result.addAll(serverOnly.subList(next, serverOnly.size()));
        return result;
    }
}
