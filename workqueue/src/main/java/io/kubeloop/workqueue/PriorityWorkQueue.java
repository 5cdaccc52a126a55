/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * A queue whose items have priorities (upstream: controller-runtime's {@code pkg/controller/priorityqueue}).
 * Thread-safe.
 *
 * <ul>
 *   <li>The item with the highest priority comes out first; among equals, the item that became ready first.
 *   <li>The queue holds each item once, delayed or ready. An item that is added again keeps its highest priority and
 *       its earliest time. If its priority rises, it moves behind its new equals.
 *   <li>Priorities do not age: an item of low priority waits as long as items of higher priority keep coming.
 * </ul>
 *
 * <p>Inherited methods add with priority 0. Unlike in a queue without priorities, a delayed item that is {@linkplain
 * #add added} meanwhile comes out only once.
 *
 * @param <T> the type of the items
 */
public interface PriorityWorkQueue<T> extends RateLimitingQueue<T> {

    /**
     * The priority of objects that have not changed: items of an initial list and of resyncs. With it, a controller
     * that starts with ten thousand objects still syncs a changed object at once.
     */
    int LOW_PRIORITY = -100;

    /**
     * Adds the item with the given delay, rate limit and priority. Ignored once the queue is shutting down. Does not
     * wait for workers. O(log n).
     *
     * @throws IllegalStateException if a delayed item needs the scheduler's thread and the thread factory throws, as in
     *     {@link #addAfter}
     */
    void addWithOptions(T item, AddOptions options);

    /**
     * Takes the next item as {@link #get} does, together with its priority. Blocks as {@code get} does.
     *
     * @return the item, or null if the queue is shut down and empty
     * @throws InterruptedException if interrupted while waiting
     */
    @Nullable
    Prioritized<T> getWithPriority() throws InterruptedException;
}
