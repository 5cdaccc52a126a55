/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.rate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.workqueue.RateLimiter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A token bucket for all items together (upstream: {@code golang.org/x/time/rate}, used by reservations). Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class BucketRateLimiter<T> implements RateLimiter<T> {

    /** The delay of a bucket with capacity 0: 292 years. */
    private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

    private final double tokensPerNano;
    private final int burst;
    private final Scheduler clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** The number of free tokens; a negative number counts reserved future tokens. */
    @GuardedBy("lock")
    private double tokens;

    /** The time at which tokens was computed. */
    @GuardedBy("lock")
    private long updatedAt;

    /** Creates a limiter; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
    public BucketRateLimiter(double qps, int burst, Scheduler clock) {
        if (!(qps > 0) || Double.isInfinite(qps) || burst < 0) {
            throw new IllegalArgumentException(
                    "qps must be finite and greater than 0, and burst not negative, got " + qps + " and " + burst);
        }
        this.tokensPerNano = qps / 1e9;
        this.burst = burst;
        this.clock = Objects.requireNonNull(clock, "clock");
        tokens = burst;
        updatedAt = clock.nanoTime();
    }

    @Override
    public Duration when(T item) {
        if (burst == 0) {
            return NEVER;
        }
        double left = reserve();
        return left >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-left / tokensPerNano));
    }

    /** Takes a token, and returns the number of tokens left. */
    private double reserve() {
        lock.lock();
        try {
            long now = clock.nanoTime();
            long elapsed = Math.max(0, now - updatedAt);
            tokens = Math.min(burst, tokens + elapsed * tokensPerNano) - 1;
            updatedAt = now;
            return tokens;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void forget(T item) {
        // All items share the bucket; it has no state per item.
    }

    @Override
    public int numRequeues(T item) {
        return 0;
    }
}
