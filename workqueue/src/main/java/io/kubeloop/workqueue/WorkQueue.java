package io.kubeloop.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * A queue of items to process, each by one worker at a time (upstream: {@code workqueue.Interface}).
 *
 * <ul>
 *   <li>Fair: items come out in the order in which they were added, unless the queue was given another order or has priorities.
 *   <li>Stingy: an item added again before it is processed is processed once.
 *   <li>Exclusive: an item added while being processed comes out again only after {@link #done}.
 * </ul>
 *
 * <p>Thread-safe. Each {@link #get} is paired with one {@link #done}: a {@link Worker} sees to that.
 *
 * @param <T> the type of the items; immutable, with {@code equals} and {@code hashCode} that are quick: they run under
 *     the queue's lock
 */
public interface WorkQueue<T> {

    /** Returns the name that the queue was given; "" if none. */
    default String name() {
        return "";
    }

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

    /**
     * Says that processing ended. If the item was added meanwhile, it is queued again, as if it were added now. Ignored if the item is
     * unknown; for an item that only waits it is an error of the caller, which queues it twice.
     */
    void done(T item);

    /** Returns how many items wait; those being processed do not count. */
    int length();

    /**
     * Accepts no more items; those that wait are still handed out. Returns without waiting for them, and ends the wait of
     * whoever is in {@link #shutDownWithDrain}. A second call does nothing more.
     */
    void shutDown();

    /**
     * Accepts no more items and blocks until those that wait or are being processed are done, or somebody else calls
     * {@link #shutDown}. Needs workers that take them: without any it blocks for as long as items wait.
     *
     * <p>Upstream looks only at what is being processed, so items that no worker took yet may be left behind.
     *
     * @throws InterruptedException if interrupted while waiting; the queue stays shut down
     */
    void shutDownWithDrain() throws InterruptedException;

    /** Returns whether a shut-down was asked for. */
    boolean isShuttingDown();
}
