package io.kubeloop.workqueue;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** How many items each priority has. Not thread-safe: confined to the lock of its owner. */
final class PriorityCounts {

    private final TreeMap<Integer, int[]> counts = new TreeMap<>(Comparator.reverseOrder());

    void increment(int priority) {
        counts.computeIfAbsent(priority, none -> new int[1])[0]++;
    }

    void decrement(int priority) {
        counts.computeIfPresent(priority, (same, count) -> --count[0] == 0 ? null : count);
    }

    /** Returns a copy, highest priority first; those without items are absent. O(n) in the priorities. */
    Map<Integer, Integer> snapshot() {
        TreeMap<Integer, Integer> copy = new TreeMap<>(counts.comparator());
        counts.forEach((priority, count) -> copy.put(priority, count[0]));
        return Collections.unmodifiableMap(copy);
    }
}
