package io.kubeloop.workqueue.rate;

import io.kubeloop.workqueue.RateLimiter;
import java.time.Duration;
import java.util.Objects;

/**
 * A limiter with a short delay for an item's first failures, and a long delay for later ones. Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class ItemFastSlowRateLimiter<T> implements RateLimiter<T> {

    private final FailureCounts<T> failures = new FailureCounts<>();
    private final Duration fast;
    private final Duration slow;
    private final int maxFastAttempts;

    /** Creates a limiter; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
    public ItemFastSlowRateLimiter(Duration fast, Duration slow, int maxFastAttempts) {
        this.fast = Objects.requireNonNull(fast, "fast");
        this.slow = Objects.requireNonNull(slow, "slow");
        this.maxFastAttempts = maxFastAttempts;
    }

    @Override
    public Duration when(T item) {
        return failures.countFailure(item) < maxFastAttempts ? fast : slow;
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
