package io.kubeloop.workqueue;

import io.kubeloop.workqueue.rate.BucketRateLimiter;
import io.kubeloop.workqueue.rate.ItemExponentialFailureRateLimiter;
import io.kubeloop.workqueue.rate.ItemFastSlowRateLimiter;
import io.kubeloop.workqueue.rate.MaxOfRateLimiter;
import io.kubeloop.workqueue.rate.WithMaxWaitRateLimiter;
import java.time.Duration;
import java.util.List;

/** Makes rate limiters (upstream: {@code util/workqueue/default_rate_limiters.go}). All are thread-safe. */
public final class RateLimiters {

    private RateLimiters() {}

    /**
     * Returns what most controllers use: each item waits 5 ms, doubling with each failure up to 1000 s, and all items
     * together are added 10 times a second at most, after a burst of 100.
     */
    public static <T> RateLimiter<T> defaultController() {
        return defaultController(AlarmClock.system());
    }

    /** Returns what most controllers use, by another clock. */
    public static <T> RateLimiter<T> defaultController(AlarmClock clock) {
        return maxOf(exponential(Duration.ofMillis(5), Duration.ofSeconds(1000)), bucket(10, 100, clock));
    }

    /** Returns the default without a limit on all items together: 1 ms, doubling with each failure up to 1000 s. */
    public static <T> RateLimiter<T> defaultItemBased() {
        return exponential(Duration.ofMillis(1), Duration.ofSeconds(1000));
    }

    /**
     * Returns a limiter that doubles an item's delay with each failure.
     *
     * @param base the first delay; not negative
     * @param max no delay is longer; not negative
     */
    public static <T> RateLimiter<T> exponential(Duration base, Duration max) {
        return new ItemExponentialFailureRateLimiter<>(base, max);
    }

    /**
     * Returns a limiter that makes an item wait a short time for its first tries, and a long time for all others.
     *
     * @param maxFastAttempts how many tries are fast
     */
    public static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int maxFastAttempts) {
        return new ItemFastSlowRateLimiter<>(fast, slow, maxFastAttempts);
    }

    /**
     * Returns a limiter for all items together: a token bucket. Each call reserves a token, so later callers wait
     * longer; failures are not counted.
     *
     * @param qps tokens per second; greater than 0
     * @param burst how many tokens the bucket holds; full in the beginning. With 0 nothing ever passes
     */
    public static <T> RateLimiter<T> bucket(double qps, int burst) {
        return bucket(qps, burst, AlarmClock.system());
    }

    /** Returns a limiter for all items together, by another clock. */
    public static <T> RateLimiter<T> bucket(double qps, int burst, AlarmClock clock) {
        return new BucketRateLimiter<>(qps, burst, clock);
    }

    /** Returns a limiter that asks all of these, each time, and takes the longest delay; zero if there are none. */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array goes nowhere: it is copied.
    public static <T> RateLimiter<T> maxOf(RateLimiter<T>... limiters) {
        return new MaxOfRateLimiter<>(List.of(limiters));
    }

    /** Returns a limiter that shortens the delays of another one to a maximum. */
    public static <T> RateLimiter<T> withMaxWait(RateLimiter<T> limiter, Duration max) {
        return new WithMaxWaitRateLimiter<>(limiter, max);
    }
}
