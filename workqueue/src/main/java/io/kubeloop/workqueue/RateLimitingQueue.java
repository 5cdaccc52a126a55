/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.time.Duration;

/**
 * A queue whose rate limiter chooses the delay of retries (upstream: {@code workqueue.RateLimitingInterface}).
 * Thread-safe.
 *
 * @param <T> the type of the items
 */
public interface RateLimitingQueue<T> extends DelayingQueue<T> {

    /** Adds the item after the delay that the rate limiter chooses; see {@link #addAfter}. */
    void addRateLimited(T item);

    /**
     * Adds an item in processing once more, as {@link #addRateLimited} does. In a queue with priorities the item keeps
     * the priority with which it was handed out.
     *
     * @return the delay before the item is ready
     */
    Duration retry(T item);

    /** Resets the failure count of an item that needs no more retries. Does not replace {@link #done}. */
    void forget(T item);

    /**
     * Returns the number of {@link #addRateLimited} calls for the item since the last {@link #forget}, as the queue's
     * limiter counts them. A {@linkplain RateLimiters#bucket token bucket} alone counts nothing.
     */
    int numRequeues(T item);
}
