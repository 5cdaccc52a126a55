/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order of values, in which path elements are sorted (upstream: {@code value.Compare}). Numbers come first, then
 * strings, booleans, lists, objects and null. Thread-safe: stateless.
 */
final class ValueOrder {

    private ValueOrder() {}

    static int compare(JsonValue one, JsonValue two) {
        if (one instanceof JsonNumber mine && two instanceof JsonNumber theirs) {
            return compareNumbers(mine, theirs);
        }
        if (one instanceof JsonString mine && two instanceof JsonString theirs) {
            return compareText(mine.value(), theirs.value());
        }
        if (one instanceof JsonBoolean mine && two instanceof JsonBoolean theirs) {
            return Boolean.compare(mine.value(), theirs.value());
        }
        if (one instanceof JsonArray mine && two instanceof JsonArray theirs) {
            return compareLists(mine.elements(), theirs.elements());
        }
        if (one instanceof JsonObject mine && two instanceof JsonObject theirs) {
            return compareObjects(mine, theirs);
        }
        return Integer.compare(rank(one), rank(two));
    }

    /** Compares by code points, as Go does, and not by the halves of surrogate pairs. */
    static int compareText(String one, String two) {
        int length = Math.min(one.length(), two.length());
        for (int i = 0; i < length; i++) {
            char mine = one.charAt(i);
            char theirs = two.charAt(i);
            if (mine != theirs) {
                boolean highest = Character.isSurrogate(mine);
                return highest == Character.isSurrogate(theirs) ? mine - theirs : highest ? 1 : -1;
            }
        }
        return one.length() - two.length();
    }

    /** Compares two keys by their fields in order; a key that begins another one comes first. */
    static int compareKeys(List<PathElement.KeyField> one, List<PathElement.KeyField> two) {
        for (int i = 0; i < one.size() && i < two.size(); i++) {
            int order = compareText(one.get(i).name(), two.get(i).name());
            if (order == 0) {
                order = compare(one.get(i).value(), two.get(i).value());
            }
            if (order != 0) {
                return order;
            }
        }
        return one.size() - two.size();
    }

    private static int compareNumbers(JsonNumber one, JsonNumber two) {
        if (one.equals(two)) {
            return 0;
        }
        Long mine = one.toLong();
        Long theirs = two.toLong();
        return mine != null && theirs != null ? Long.compare(mine, theirs) : JsonNumber.compare(one, two);
    }

    private static int compareLists(List<JsonValue> one, List<JsonValue> two) {
        for (int i = 0; i < one.size() && i < two.size(); i++) {
            int order = compare(one.get(i), two.get(i));
            if (order != 0) {
                return order;
            }
        }
        return one.size() - two.size();
    }

    private static int compareObjects(JsonObject one, JsonObject two) {
        Iterator<Map.Entry<String, JsonValue>> theirs =
                new TreeMap<>(two.members()).entrySet().iterator();
        for (Map.Entry<String, JsonValue> mine : new TreeMap<>(one.members()).entrySet()) {
            if (!theirs.hasNext()) {
                return 1;
            }
            Map.Entry<String, JsonValue> other = theirs.next();
            int order = compareText(mine.getKey(), other.getKey());
            if (order == 0) {
                order = compare(mine.getValue(), other.getValue());
            }
            if (order != 0) {
                return order;
            }
        }
        return theirs.hasNext() ? -1 : 0;
    }

    private static int rank(JsonValue value) {
        if (value instanceof JsonNumber) {
            return 0;
        }
        if (value instanceof JsonString) {
            return 1;
        }
        if (value instanceof JsonBoolean) {
            return 2;
        }
        if (value instanceof JsonArray) {
            return 3;
        }
        return value instanceof JsonObject ? 4 : 5;
    }
}
