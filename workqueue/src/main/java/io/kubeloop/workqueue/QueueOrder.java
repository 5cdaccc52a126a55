package io.kubeloop.workqueue;

/**
 * The order in which a queue hands out what waits (upstream: {@code workqueue.Queue} of {@code util/workqueue/queue.go}).
 * Used by one queue alone, and under its lock: an implementation needs no lock of its own, is quick, and calls neither the
 * queue nor anything that waits.
 *
 * <p>The queue gives it each item at most once at a time, and nothing that is being processed.
 *
 * @param <T> the type of the items
 */
public interface QueueOrder<T> {

    /**
     * Called when an item is added again while it waits: an order may move it. The default leaves it where it is.
     */
    default void touch(T item) {}

    /** Takes in an item. If it throws, the item is lost to the queue, and the caller that added it gets the error. */
    void push(T item);

    /** Returns how many items it holds: those pushed and not popped. */
    int length();

    /** Removes and returns the item that is to be processed next. Only called while there is one. */
    T pop();
}
