/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replaces objects and arrays of a tree by equal ones of earlier trees. The pods of one owner differ in little, and so
 * they share most of their specs and managed fields.
 *
 * <p>Two parts are equal if their text is the same, so sharing changes no byte of the output. An instance handles
 * one tree and is confined to a thread. All threads share the known parts.
 */
final class PartInterner {

    private static final int SIZE = 1 << 14;

    /** Larger parts, in about bytes, are not kept: they are seldom equal, and clients choose them. */
    private static final int LARGEST = 32 << 10;

    private static final int OF_A_VALUE = 24;

    // Racy on purpose: parts are immutable, so a reader sees a complete one, whichever it sees. A lost part is
    // shared from its next occurrence on. The table keeps at most SIZE parts alive, and none if memory is short.
    private static volatile SoftReference<@Nullable JsonValue[]> known = new SoftReference<>(null);

    private final @Nullable JsonValue[] table = table();

    /**
     * The hash of the latest result. Unlike the values' own hashes, it costs O(children) and covers the order of
     * members.
     */
    private int hash;

    /** About how many bytes the latest result takes. */
    private int weight;

    private static @Nullable JsonValue[] table() {
        @Nullable JsonValue[] current = known.get();
        if (current == null) {
            current = new JsonValue[SIZE];
            known = new SoftReference<>(current);
        }
        return current;
    }

    /** Returns the value with shared parts. O(n). */
    JsonValue share(JsonValue value) {
        if (value instanceof JsonObject object && !object.isEmpty()) {
            return shareObject(object);
        }
        if (value instanceof JsonArray array && !array.isEmpty()) {
            return shareArray(array);
        }
        hash = value.hashCode();
        weight = OF_A_VALUE + (value instanceof JsonString text ? text.value().length() : 0);
        return value;
    }

    private JsonValue shareObject(JsonObject object) {
        int combined = 1;
        int sum = OF_A_VALUE;
        boolean changed = false;
        Map<String, JsonValue> shared = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            JsonValue value = share(member.getValue());
            changed |= value != member.getValue();
            shared.put(member.getKey(), value);
            combined = 31 * combined + (member.getKey().hashCode() ^ hash);
            sum += member.getKey().length() + weight;
        }
        hash = combined;
        weight = sum;
        return known(changed ? JsonObject.wrap(shared) : object);
    }

    private JsonValue shareArray(JsonArray array) {
        int combined = 2;
        int sum = OF_A_VALUE;
        boolean changed = false;
        List<JsonValue> shared = new ArrayList<>(array.size());
        for (JsonValue element : array) {
            JsonValue value = share(element);
            changed |= value != element;
            shared.add(value);
            combined = 31 * combined + hash;
            sum += weight;
        }
        hash = combined;
        weight = sum;
        return known(changed ? JsonArray.wrap(shared) : array);
    }

    private JsonValue known(JsonValue part) {
        if (weight > LARGEST) {
            return part;
        }
        int place = (hash ^ hash >>> 14) & SIZE - 1;
        JsonValue earlier = table[place];
        if (earlier != null && sameText(earlier, part)) {
            return earlier;
        }
        table[place] = part;
        return part;
    }

    /** The children are shared already: objects and arrays with the same text are the same. */
    private static boolean sameText(JsonValue left, JsonValue right) {
        if (left instanceof JsonObject a && right instanceof JsonObject b) {
            return sameMembers(a.members(), b.members());
        }
        return left instanceof JsonArray a && right instanceof JsonArray b && sameElements(a.elements(), b.elements());
    }

    private static boolean sameMembers(Map<String, JsonValue> left, Map<String, JsonValue> right) {
        if (left.size() != right.size()) {
            return false;
        }
        Iterator<Map.Entry<String, JsonValue>> others = right.entrySet().iterator();
        for (Map.Entry<String, JsonValue> member : left.entrySet()) {
            Map.Entry<String, JsonValue> other = others.next();
            if (!sameChild(member.getValue(), other.getValue())
                    || !member.getKey().equals(other.getKey())) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameElements(List<JsonValue> left, List<JsonValue> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!sameChild(left.get(i), right.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameChild(JsonValue left, JsonValue right) {
        if (left instanceof JsonNumber a && right instanceof JsonNumber b) {
            return a.text().equals(b.text());
        }
        return left == right || (left instanceof JsonString && left.equals(right));
    }
}
