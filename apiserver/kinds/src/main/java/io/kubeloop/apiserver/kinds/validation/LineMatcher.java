/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the common blocks of two texts: the longest one first, then those on both sides of it (the algorithm of
 * Ratcliff and Obershelp, as in Python's {@code difflib}). Like there, lines that are frequent in a long text do not
 * start a block.
 *
 * <p>Confined to one thread.
 */
final class LineMatcher {

    private static final int LONG_TEXT = 200;

    private final List<String> before;
    private final List<String> after;

    /** The positions of each line of the second text that may start a block. */
    private final Map<String, List<Integer>> places = new HashMap<>();

    /** Two equal lines, by their positions. */
    record Block(int before, int after, int size) {}

    LineMatcher(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
        for (int j = 0; j < after.size(); j++) {
            places.computeIfAbsent(after.get(j), line -> new ArrayList<>()).add(j);
        }
        if (after.size() >= LONG_TEXT) {
            int frequent = after.size() / 100 + 1;
            places.values().removeIf(of -> of.size() > frequent);
        }
    }

    /** Returns the blocks in order, with an empty one at the end. */
    List<Block> blocks() {
        List<Block> found = new ArrayList<>();
        collect(0, before.size(), 0, after.size(), found);
        found.add(new Block(before.size(), after.size(), 0));
        return found;
    }

    private void collect(int fromBefore, int toBefore, int fromAfter, int toAfter, List<Block> found) {
        Block longest = longest(fromBefore, toBefore, fromAfter, toAfter);
        if (longest.size() == 0) {
            return;
        }
        if (fromBefore < longest.before() && fromAfter < longest.after()) {
            collect(fromBefore, longest.before(), fromAfter, longest.after(), found);
        }
        found.add(longest);
        int endBefore = longest.before() + longest.size();
        int endAfter = longest.after() + longest.size();
        if (endBefore < toBefore && endAfter < toAfter) {
            collect(endBefore, toBefore, endAfter, toAfter, found);
        }
    }

    private Block longest(int fromBefore, int toBefore, int fromAfter, int toAfter) {
        int bestBefore = fromBefore;
        int bestAfter = fromAfter;
        int best = 0;
        Map<Integer, Integer> lengths = Map.of();
        for (int i = fromBefore; i < toBefore; i++) {
            Map<Integer, Integer> next = new HashMap<>();
            for (int j : places.getOrDefault(before.get(i), List.of())) {
                if (j >= fromAfter && j < toAfter) {
                    int length = lengths.getOrDefault(j - 1, 0) + 1;
                    next.put(j, length);
                    if (length > best) {
                        bestBefore = i - length + 1;
                        bestAfter = j - length + 1;
                        best = length;
                    }
                }
            }
            lengths = next;
        }
        while (bestBefore > fromBefore
                && bestAfter > fromAfter
                && before.get(bestBefore - 1).equals(after.get(bestAfter - 1))) {
            bestBefore--;
            bestAfter--;
            best++;
        }
        while (bestBefore + best < toBefore
                && bestAfter + best < toAfter
                && before.get(bestBefore + best).equals(after.get(bestAfter + best))) {
            best++;
        }
        return new Block(bestBefore, bestAfter, best);
    }
}
