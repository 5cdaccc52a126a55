/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import io.kubeloop.runtime.Scheduler;
import io.kubeloop.workqueue.rate.BucketRateLimiter;
import io.kubeloop.workqueue.rate.MaxOfRateLimiter;
import io.kubeloop.workqueue.rate.PerItemRateLimiter;
import io.kubeloop.workqueue.rate.WithMaxWaitRateLimiter;
import java.time.Duration;
import java.util.List;

/** Creates rate limiters (upstream: {@code util/workqueue/default_rate_limiters.go}). All of them are thread-safe. */
public final class RateLimiters {

    private RateLimiters() {}

    /**
     * Returns the limiter of most controllers, on the system clock. The delay of an item is 5 ms, doubled with each
     * failure up to 1000 s. All items together share 10 tokens per second after a burst of 100.
     */
    public static <T> RateLimiter<T> defaultController() {
        return defaultController(Scheduler.system());
    }

    /** Returns the limiter of most controllers, on the time of the given scheduler. */
    public static <T> RateLimiter<T> defaultController(Scheduler scheduler) {
        return maxOf(exponential(Duration.ofMillis(5), Duration.ofSeconds(1000)), bucket(10, 100, scheduler));
    }

    /** Returns a limiter without a limit on all items together: 1 ms, doubled with each failure up to 1000 s. */
    public static <T> RateLimiter<T> defaultItemBased() {
        return exponential(Duration.ofMillis(1), Duration.ofSeconds(1000));
    }

    /**
     * Returns a limiter that doubles an item's delay with each failure.
     *
     * @param base the first delay; must not be negative
     * @param max the longest delay; must not be negative
     */
    public static <T> RateLimiter<T> exponential(Duration base, Duration max) {
        return PerItemRateLimiter.exponential(base, max);
    }

    /**
     * Returns a limiter with a short delay for the first failures of an item, and a long delay for all later ones.
     *
     * @param fast the short delay
     * @param slow the long delay
     * @param maxFastAttempts the number of failures with the short delay
     */
    public static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int maxFastAttempts) {
        return PerItemRateLimiter.fastSlow(fast, slow, maxFastAttempts);
    }

    /**
     * Returns a token bucket for all items together, on the system clock. Each call reserves a token, so later callers
     * get longer delays. It does not count failures.
     *
     * @param qps the tokens per second; must be greater than 0
     * @param burst the capacity of the bucket, which is full at first; must not be negative. With 0 the delay is always
     *     292 years
     */
    public static <T> RateLimiter<T> bucket(double qps, int burst) {
        return bucket(qps, burst, Scheduler.system());
    }

    /** Returns a token bucket for all items together, on the time of the given scheduler. */
    public static <T> RateLimiter<T> bucket(double qps, int burst, Scheduler scheduler) {
        return new BucketRateLimiter<>(qps, burst, scheduler);
    }

    /**
     * Returns a limiter that calls all the given limiters each time, and returns the longest delay; zero without
     * limiters.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is copied
    public static <T> RateLimiter<T> maxOf(RateLimiter<T>... limiters) {
        return new MaxOfRateLimiter<>(List.of(limiters));
    }

    /** Returns a limiter that limits the delays of another limiter to a maximum. */
    public static <T> RateLimiter<T> withMaxWait(RateLimiter<T> limiter, Duration max) {
        return new WithMaxWaitRateLimiter<>(limiter, max);
    }
}
