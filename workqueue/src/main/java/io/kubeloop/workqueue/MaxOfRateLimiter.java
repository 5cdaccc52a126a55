package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.List;

/**
 * The longest delay of several limiters. Thread-safe if they are.
 *
 * <p>Asks every one of them each time, because each counts: the failures of the item, the tokens of a bucket (RL-04).
 *
 * @param <T> the type of the items
 */
final class MaxOfRateLimiter<T> implements RateLimiter<T> {

    private final List<RateLimiter<T>> limiters;

    MaxOfRateLimiter(List<RateLimiter<T>> limiters) {
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
