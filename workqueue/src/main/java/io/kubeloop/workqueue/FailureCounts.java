package io.kubeloop.workqueue;

import java.util.concurrent.ConcurrentHashMap;

/**
 * How often each item failed, until it is forgotten. Thread-safe. What is never forgotten stays: forgetting is the
 * caller's duty, or that of a {@link Worker}.
 *
 * @param <T> the type of the items
 */
final class FailureCounts<T> {

    private final ConcurrentHashMap<T, Integer> counts = new ConcurrentHashMap<>();

    /** Counts one failure more, and returns how many there were before it. */
    int countFailure(T item) {
        return counts.merge(item, 1, (count, one) -> count == Integer.MAX_VALUE ? count : count + one) - 1;
    }

    int count(T item) {
        return counts.getOrDefault(item, 0);
    }

    void forget(T item) {
        counts.remove(item);
    }
}
