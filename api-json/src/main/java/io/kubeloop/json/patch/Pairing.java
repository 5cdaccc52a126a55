/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two lists side by side, sorted by identity. Elements with the same identity form a pair. */
final class Pairing {

    private Pairing() {}

    /**
     * A pair; at least one side is present.
     *
     * @param from the element of the first list
     * @param to the element of the second list
     */
    record Pair(@Nullable JsonValue from, @Nullable JsonValue to) {

        JsonValue either() {
            if (from != null) {
                return from;
            }
            if (to != null) {
                return to;
            }
            throw new IllegalStateException("a pair needs at least one element");
        }
    }

    static List<Pair> of(List<JsonValue> from, List<JsonValue> to, String mergeKey) {
        List<JsonValue> left = sorted(from, mergeKey);
        List<JsonValue> right = sorted(to, mergeKey);
        List<Pair> pairs = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < left.size() || j < right.size()) {
            int order = i == left.size()
                    ? 1
                    : j == right.size()
                            ? -1
                            : MergeList.sortText(left.get(i), mergeKey)
                                    .compareTo(MergeList.sortText(right.get(j), mergeKey));
            pairs.add(new Pair(order <= 0 ? left.get(i++) : null, order >= 0 ? right.get(j++) : null));
        }
        return pairs;
    }

    /** The last of several elements with the same identity comes first, as in upstream's sort. */
    private static List<JsonValue> sorted(List<JsonValue> list, String mergeKey) {
        List<JsonValue> sorted = new ArrayList<>(list);
        Collections.reverse(sorted);
        sorted.sort(Comparator.comparing(element -> MergeList.sortText(element, mergeKey)));
        return sorted;
    }
}
