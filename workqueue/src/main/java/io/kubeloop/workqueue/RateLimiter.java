package io.kubeloop.workqueue;

import java.time.Duration;

/**
 * Chooses the delay of an item before its next try (upstream: {@code workqueue.RateLimiter}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public interface RateLimiter<T> {

    /** Counts one more failure of the item, and returns how long it should wait. */
    Duration when(T item);

    /** Forgets the item's failures. */
    void forget(T item);

    /** Returns how many failures of the item were counted. */
    int numRequeues(T item);
}
