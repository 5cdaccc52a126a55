/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.List;

/**
 * A queue to which items can be added after a delay (upstream: {@code workqueue.DelayingInterface}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public interface DelayingQueue<T> extends WorkQueue<T> {

    /**
     * Adds the item after the delay, or at once if the delay is zero or negative. The number of delayed items is not
     * limited. If the item is already delayed, the earlier time counts. An {@link #add} does not cancel the delay,
     * except in a {@link PriorityWorkQueue}. The call is ignored once the queue is shutting down; the shutdown
     * {@linkplain #dropped() drops} the delayed items. O(log n) in the number of delayed items.
     *
     * <p>Does not wait for workers. The first delayed item starts the scheduler's thread; a concurrent call waits until
     * the thread factory returns, and an interrupt does not end that wait.
     *
     * <p>If the thread factory throws, the item stays delayed without an alarm. The next call of {@link #add}, {@code
     * addAfter} or {@link #get} tries to start the thread again. Workers that already block in {@code get} do not try:
     * if all workers do, the item waits for the next {@code add} or {@code addAfter}, even after its delay has passed.
     *
     * @throws IllegalStateException if the thread factory throws
     */
    void addAfter(T item, Duration delay);

    /** Returns the number of delayed items. */
    int delayed();

    /**
     * Returns a copy of the items that were delayed at the shutdown and are therefore not handed out. The list is empty
     * before the shutdown. It is complete when {@link #shutDown} or {@link #shutDownWithDrain} has returned or thrown,
     * even after an interrupt.
     */
    List<T> dropped();
}
