package io.kubeloop.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * A queue of items to process, each by one worker at a time (upstream: {@code workqueue.Interface}).
 *
 * <ul>
 *   <li>Fair: items come out in the order in which they were added.
 *   <li>Stingy: an item added again before it is processed is processed once.
 *   <li>Exclusive: an item added while being processed comes out again only after {@link #done}.
 * </ul>
 *
 * <p>Thread-safe.
 *
 * @param <T> the type of the items; needs {@code equals} and {@code hashCode}
 */
public interface WorkQueue<T> {

    /** Marks the item as needing to be processed. Ignored once the queue is shutting down. */
    void add(T item);

    /**
     * Takes the next item; the caller calls {@link #done} with it afterwards. Blocks.
     *
     * @return the item, or null when the queue is shut down and empty: the worker ends
     * @throws InterruptedException if interrupted while waiting
     */
    @Nullable
    T get() throws InterruptedException;

    /** Says that processing ended. If the item was added meanwhile, it is queued again. */
    void done(T item);

    /** Returns how many items wait; those being processed do not count. */
    int length();

    /** Accepts no more items; those that wait are still handed out. Returns at once. */
    void shutDown();

    /**
     * Accepts no more items and blocks until those that wait or are being processed are done.
     *
     * @throws InterruptedException if interrupted while waiting; the queue stays shut down
     */
    void shutDownWithDrain() throws InterruptedException;

    /** Returns whether a shut-down was asked for. */
    boolean isShuttingDown();
}
