package io.kubeloop.workqueue.rate;

import io.kubeloop.workqueue.AlarmClock;
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

    /** The delay of a bucket without room: 292 years. */
    private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

    private final double tokensPerNano;
    private final int burst;
    private final AlarmClock clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** How many tokens are left; negative: how many are promised. Guarded by lock. */
    private double tokens;

    /** When tokens was right. Guarded by lock. */
    private long updatedAt;

    /** Makes one; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
    public BucketRateLimiter(double qps, int burst, AlarmClock clock) {
        if (!(qps > 0) || Double.isInfinite(qps) || burst < 0) {
            throw new IllegalArgumentException("no token bucket has qps " + qps + " and burst " + burst);
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

    /** Takes a token, and returns how many are left. */
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
        // All items share the bucket: there is nothing of one item to forget.
    }

    @Override
    public int numRequeues(T item) {
        return 0;
    }
}
