/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.rate;

import io.kubeloop.workqueue.RateLimiter;
import java.time.Duration;
import java.util.Objects;

/**
 * A limiter that limits the delays of another limiter to a maximum. Thread-safe if the other one is.
 *
 * @param <T> the type of the items
 */
public final class WithMaxWaitRateLimiter<T> implements RateLimiter<T> {

    private final RateLimiter<T> limiter;
    private final Duration max;

    /** Creates a limiter; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
    public WithMaxWaitRateLimiter(RateLimiter<T> limiter, Duration max) {
        this.limiter = Objects.requireNonNull(limiter, "limiter");
        this.max = Objects.requireNonNull(max, "max");
    }

    @Override
    public Duration when(T item) {
        Duration delay = limiter.when(item);
        return delay.compareTo(max) > 0 ? max : delay;
    }

    @Override
    public void forget(T item) {
        limiter.forget(item);
    }

    @Override
    public int numRequeues(T item) {
        return limiter.numRequeues(item);
    }
}
