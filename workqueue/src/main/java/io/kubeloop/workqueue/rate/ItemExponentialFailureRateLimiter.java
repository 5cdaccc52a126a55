package io.kubeloop.workqueue.rate;

import io.kubeloop.workqueue.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A limiter that doubles an item's delay with each failure, up to a maximum. Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {

    private final FailureCounts<T> failures = new FailureCounts<>();

    /** The delay by number of failures; the last entry applies to all larger numbers. */
    private final List<Duration> delays;

    /** Creates a limiter; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
    public ItemExponentialFailureRateLimiter(Duration base, Duration max) {
        if (base.isNegative() || max.isNegative()) {
            throw new IllegalArgumentException("base and max must not be negative, got " + base + " and " + max);
        }
        delays = delays(base, max);
    }

    private static List<Duration> delays(Duration base, Duration max) {
        List<Duration> delays = new ArrayList<>();
        Duration delay = base;
        while (delay.compareTo(max) < 0 && !delay.isZero()) {
            delays.add(delay);
            // Avoids an overflow: after more than half of the maximum, the next delay is the maximum.
            delay = delay.compareTo(max.dividedBy(2)) > 0 ? max : delay.multipliedBy(2);
        }
        delays.add(base.isZero() ? Duration.ZERO : max);
        return List.copyOf(delays);
    }

    @Override
    public Duration when(T item) {
        return delays.get(Math.min(failures.countFailure(item), delays.size() - 1));
    }

    @Override
    public void forget(T item) {
        failures.forget(item);
    }

    @Override
    public int numRequeues(T item) {
        return failures.count(item);
    }
}
