/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * A queue of items, each of which is processed by one worker at a time (upstream: {@code workqueue.Interface}).
 *
 * <ul>
 *   <li>Fair: items come out in the order in which they were added, unless the queue has a {@link QueueOrder} or
 *       priorities.
 *   <li>Stingy: an item added again before it is processed is processed once.
 *   <li>Exclusive: an item added while being processed comes out again only after {@link #done}.
 * </ul>
 *
 * <p>Thread-safe. Each {@link #get} needs one {@link #done}; a {@link Worker} makes both calls.
 *
 * <p>{@link #get} and {@link #shutDownWithDrain} block.
 *
 * @param <T> the type of the items; immutable, with {@code equals}, {@code hashCode} and {@code toString} that are
 *     quick: they run under the queue's lock
 */
public interface WorkQueue<T> {

    /** Returns the name of the queue; "" if it has none. */
    default String name() {
        return "";
    }

    /** Adds an item that needs processing. Ignored once the queue is shutting down. Does not wait for workers. O(1). */
    void add(T item);

    /**
     * Takes the next item; the caller must call {@link #done} with it afterwards. Blocks until an item is ready or the
     * queue is shut down, without a time limit. An interrupt ends the wait, and no item is taken.
     *
     * @return the item, or null if the queue is shut down and empty; the worker should then end
     * @throws InterruptedException if interrupted while waiting
     */
    @Nullable
    T get() throws InterruptedException;

    /**
     * Ends the processing of an item. If the item was added meanwhile, it is queued again, as if it were added now.
     * Ignored if the item is not being processed: a second call for one {@link #get} cannot hand the item to two
     * workers.
     */
    void done(T item);

    /** Returns the number of ready items; items in processing do not count. */
    int length();

    /**
     * Stops accepting items; ready items are still handed out. Does not wait for them, and ends the wait of any thread
     * in {@link #shutDownWithDrain}. A second call has no further effect.
     */
    void shutDown();

    /**
     * Stops accepting items, and blocks until every ready item is done or another thread calls {@link #shutDown}. There
     * is no time limit: without workers that take the ready items it blocks indefinitely.
     *
     * <p>Upstream waits only for items in processing, so it may leave ready items behind.
     *
     * @throws InterruptedException if interrupted while waiting; the queue stays shut down
     */
    void shutDownWithDrain() throws InterruptedException;

    /** Returns whether a shutdown has begun. */
    boolean isShuttingDown();
}
