/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

/**
 * The order in which a queue hands out its ready items (upstream: {@code workqueue.Queue} of {@code
 * util/workqueue/queue.go}). An instance belongs to one queue, which calls it under its lock. An implementation
 * therefore needs no lock. It must be quick, must not call the queue, and must not block.
 *
 * <p>The order holds each item at most once, and no item in processing.
 *
 * @param <T> the type of the items
 */
public interface QueueOrder<T> {

    /**
     * Called when an item that the order holds is added again. An implementation may move the item; the default does
     * nothing.
     */
    default void touch(T item) {}

    /**
     * Inserts an item. If this method throws, the queue removes the item. The caller of {@code add} or {@code done}
     * receives the error, or the scheduler's thread if the delay of the item has passed.
     */
    void push(T item);

    /** Returns the number of items that were pushed and not popped. */
    int length();

    /**
     * Removes and returns the next item. Only called while {@link #length} is positive. Must return an item that was
     * pushed and not popped: after another item or null, {@code get} throws, and an item that the order has lost is
     * never handed out.
     */
    T pop();
}
