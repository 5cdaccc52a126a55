/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.time.Duration;

/**
 * Chooses the delay of an item before its next attempt (upstream: {@code workqueue.RateLimiter}). Implementations must
 * be thread-safe.
 *
 * @param <T> the type of the items
 */
public interface RateLimiter<T> {

    /** Counts one more failure of the item, and returns the delay before its next attempt. */
    Duration when(T item);

    /** Resets the failure count of the item. */
    void forget(T item);

    /** Returns the failure count of the item. */
    int numRequeues(T item);
}
