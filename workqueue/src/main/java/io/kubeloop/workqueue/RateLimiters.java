/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.workqueue.rate.PerItemRateLimiter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

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
        return new MaxOfRateLimiter<>(List.of(limiters), ChronoUnit.FOREVER.getDuration());
    }

    /** Returns a limiter that limits the delays of another limiter to a maximum. */
    public static <T> RateLimiter<T> withMaxWait(RateLimiter<T> limiter, Duration max) {
        return new MaxOfRateLimiter<>(List.of(limiter), max);
    }

    /**
     * A token bucket for all items together (upstream: {@code golang.org/x/time/rate}, used by reservations).
     * Thread-safe.
     *
     * @param <T> the type of the items
     */
    private static final class BucketRateLimiter<T> implements RateLimiter<T> {

        /** The delay of a bucket with capacity 0: 292 years. */
        private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

        private final double tokensPerNano;
        private final int burst;
        private final Scheduler clock;
        private final ReentrantLock lock = new ReentrantLock();

        /** The number of free tokens; a negative number counts reserved future tokens. */
        @GuardedBy("lock")
        private double tokens;

        /** The time at which {@code tokens} was last computed. */
        @GuardedBy("lock")
        private long updatedAt;

        /** Creates a limiter; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
        BucketRateLimiter(double qps, int burst, Scheduler clock) {
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

    /**
     * A limiter that returns the longest delay of several limiters, but not more than a maximum. Thread-safe if those
     * limiters are.
     *
     * <p>It calls every limiter each time, because each keeps its own count: the failures of the item, or the tokens of
     * a bucket.
     *
     * @param <T> the type of the items
     */
    private static final class MaxOfRateLimiter<T> implements RateLimiter<T> {

        private final List<RateLimiter<T>> limiters;
        private final Duration max;

        MaxOfRateLimiter(List<RateLimiter<T>> limiters, Duration max) {
            this.limiters = limiters;
            this.max = Objects.requireNonNull(max, "max");
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
            return Durations.least(longest, max);
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
}
