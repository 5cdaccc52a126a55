/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import io.kubeloop.runtime.Scheduler;
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
     * @throws IllegalStateException if the thread factory throws. The item is not delayed then, unless another call has
     *     delayed it, too
     */
    void addAfter(T item, Duration delay);

    /**
     * Returns the scheduler that times the delays; a {@link Worker} compares it with the scheduler of a test. A queue
     * that forwards to another queue must return that queue's scheduler. Default: the scheduler of the process.
     */
    default Scheduler scheduler() {
        return Scheduler.system();
    }

    /** Returns the number of delayed items. */
    int delayed();

    /**
     * Returns a copy of the items that were delayed at the shutdown and are therefore not handed out. The list is empty
     * before the shutdown. It is complete when {@link #shutDown} or {@link #shutDownWithDrain} has returned or thrown,
     * even after an interrupt.
     */
    List<T> dropped();
}
