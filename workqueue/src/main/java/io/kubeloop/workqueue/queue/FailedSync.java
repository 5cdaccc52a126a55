/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failed sync that a worker reports to its queue. Immutable.
 *
 * <p>It accompanies the calls of {@link RateLimitingQueue#retry} and {@link RateLimitingQueue#forget} on the worker's
 * thread, so it reaches the listener of a queue behind any decorators, which forward these calls.
 *
 * @param error the error that the handler threw
 * @param retries the number of retries before this failure
 * @param willRetry whether the item is retried
 */
public record FailedSync(Throwable error, int retries, boolean willRetry) {

    private static final ThreadLocal<@Nullable FailedSync> CURRENT = new ThreadLocal<>();

    /** Returns the failure that the calling thread reports; null if it reports none. */
    static @Nullable FailedSync current() {
        return CURRENT.get();
    }

    /** Retries or forgets the item. Returns the delay before it is ready; null if it is forgotten. */
    public <T> @Nullable Duration reportTo(RateLimitingQueue<T> queue, T item) {
        CURRENT.set(this);
        try {
            if (willRetry) {
                return queue.retry(item);
            }
            queue.forget(item);
            return null;
        } finally {
            CURRENT.remove();
        }
    }
}
