package io.kubeloop.workqueue.rate;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The number of failures of each item. Thread-safe. A count stays until the caller, or the worker, forgets the item.
 *
 * @param <T> the type of the items
 */
public final class FailureCounts<T> {

    private final ConcurrentHashMap<T, Integer> counts = new ConcurrentHashMap<>();

    /** Counts a failure, and returns the number of failures before it. */
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
