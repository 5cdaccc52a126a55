package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.List;

/**
 * A queue whose items can be added later (upstream: {@code workqueue.DelayingInterface}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public interface DelayingQueue<T> extends WorkQueue<T> {

    /**
     * Adds the item after the delay; at once if it is zero or negative. The number of delayed items is not limited. If
     * the item is delayed already, the earlier time counts. A plain {@link #add} does not cancel the delay, except in a
     * {@link PriorityWorkQueue}. Ignored once the queue is shutting down, which {@linkplain #dropped() drops} the delayed
     * items. O(log n) in those.
     *
     * <p>Does not wait for workers. The first call starts the alarm's thread; a concurrent call waits until the thread
     * factory returns, and an interrupt does not end that wait.
     *
     * @throws IllegalStateException if the thread factory throws. The item stays delayed, and the next {@link #add}, {@code
     *     addAfter} or {@link #get} tries to start the thread again
     */
    void addAfter(T item, Duration delay);

    /** Returns how many items wait for their time. */
    int delayed();

    /**
     * Returns a copy of the items that were delayed at the shutdown, and so are not handed out. The list is empty before,
     * and complete once {@link #shutDown} or {@link #shutDownWithDrain} has returned or thrown, even after an interrupt.
     */
    List<T> dropped();
}
