/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.rate;

import io.kubeloop.workqueue.RateLimiter;
import java.time.Duration;
import java.util.List;

/**
 * A limiter that returns the longest delay of several limiters. Thread-safe if they are.
 *
 * <p>It calls every limiter each time, because each keeps its own count: the failures of the item, or the tokens of a
 * bucket.
 *
 * @param <T> the type of the items
 */
public final class MaxOfRateLimiter<T> implements RateLimiter<T> {

    private final List<RateLimiter<T>> limiters;

    /** Creates a limiter; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
    public MaxOfRateLimiter(List<RateLimiter<T>> limiters) {
        this.limiters = limiters;
    }

    @Override
    public Duration when(T item) {
        Duration longest = Duration.ZERO;
        for (RateLimiter<T> limiter : limiters) {
            Duration delay = limiter.when(item);
            if (delay.compareTo(longest) > 0) {
                longest = delay;
            }
        }
        return longest;
    }

    @Override
    public void forget(T item) {
        for (RateLimiter<T> limiter : limiters) {
            limiter.forget(item);
        }
    }

    @Override
    public int numRequeues(T item) {
        int most = 0;
        for (RateLimiter<T> limiter : limiters) {
            most = Math.max(most, limiter.numRequeues(item));
        }
        return most;
    }
}
