package io.kubeloop.workqueue.rate;

import io.kubeloop.workqueue.RateLimiter;
import java.time.Duration;
import java.util.List;

/**
 * The longest delay of several limiters. Thread-safe if they are.
 *
 * <p>Asks every one of them each time, because each counts: the failures of the item, the tokens of a bucket (RL-04).
 *
 * @param <T> the type of the items
 */
public final class MaxOfRateLimiter<T> implements RateLimiter<T> {

    private final List<RateLimiter<T>> limiters;

    /** Makes one; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
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
