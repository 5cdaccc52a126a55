package io.kubeloop.workqueue;

/**
 * A queue that delays retries as its rate limiter decides (upstream:
 * {@code workqueue.RateLimitingInterface}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public interface RateLimitingQueue<T> extends DelayingQueue<T> {

    /** Adds the item as soon as the rate limiter allows. */
    void addRateLimited(T item);

    /**
     * Adds an item that is being processed once more, as {@link #addRateLimited} does; in a queue with priorities it keeps
     * the one with which it was handed out.
     */
    default void retry(T item) {
        addRateLimited(item);
    }

    /** Resets the failures of an item that needs no more retries. Does not replace {@link #done}. */
    void forget(T item);

    /**
     * Returns how often the item was added with {@link #addRateLimited} since it was last forgotten, as the queue's limiter has
     * counted it: a {@linkplain RateLimiters#bucket bucket} alone counts nothing.
     */
    int numRequeues(T item);
}
