/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.rate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.collection.ItemTable;
import io.kubeloop.workqueue.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A limiter whose delay depends on the number of failures of the item. Thread-safe. A count stays until the caller, or
 * the worker, forgets the item.
 *
 * @param <T> the type of the items
 */
public final class PerItemRateLimiter<T> implements RateLimiter<T> {

    /*
     * Under the lock run only methods of Object of the items. A ConcurrentHashMap allocates 32 bytes, or 48, for each
     * failure of an item that was forgotten meanwhile; this table none.
     */

    private static final class Count<T> extends ItemTable.Node<T> {
        int failures;
    }

    /** The delay by number of earlier failures; the last entry applies to all larger numbers. */
    private final List<Duration> delays;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ItemTable<T, Count<T>> counts = new ItemTable<>(Count::new);

    private PerItemRateLimiter(List<Duration> delays) {
        this.delays = List.copyOf(delays);
    }

    /**
     * Creates a limiter that doubles the delay; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters.
     */
    public static <T> PerItemRateLimiter<T> exponential(Duration base, Duration max) {
        if (base.isNegative() || max.isNegative()) {
            throw new IllegalArgumentException("base and max must not be negative, got " + base + " and " + max);
        }
        List<Duration> delays = new ArrayList<>();
        Duration delay = base;
        while (delay.compareTo(max) < 0 && !delay.isZero()) {
            delays.add(delay);
            // Avoids an overflow: after more than half of the maximum, the next delay is the maximum.
            delay = delay.compareTo(max.dividedBy(2)) > 0 ? max : delay.multipliedBy(2);
        }
        delays.add(base.isZero() ? Duration.ZERO : max);
        return new PerItemRateLimiter<>(delays);
    }

    /** Creates a limiter with two delays; {@link io.kubeloop.workqueue.RateLimiters} describes the parameters. */
    public static <T> PerItemRateLimiter<T> fastSlow(Duration fast, Duration slow, int maxFastAttempts) {
        List<Duration> delays = new ArrayList<>(Collections.nCopies(Math.max(0, maxFastAttempts), fast));
        delays.add(slow);
        return new PerItemRateLimiter<>(delays);
    }

    @Override
    public Duration when(T item) {
        lock.lock();
        try {
            Count<T> count = counts.get(item);
            if (count == null) {
                count = counts.add(item);
                count.failures = 0;
            }
            Duration delay = delays.get(Math.min(count.failures, delays.size() - 1));
            count.failures = count.failures == Integer.MAX_VALUE ? Integer.MAX_VALUE : count.failures + 1;
            return delay;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void forget(T item) {
        lock.lock();
        try {
            Count<T> count = counts.get(item);
            if (count != null) {
                counts.remove(count);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int numRequeues(T item) {
        lock.lock();
        try {
            Count<T> count = counts.get(item);
            return count == null ? 0 : count.failures;
        } finally {
            lock.unlock();
        }
    }
}
