package io.kubeloop.workqueue;

/**
 * Brings one item into the state in which it should be: the body of a controller's loop (upstream: the controllers'
 * {@code syncHandler}).
 *
 * @param <T> the type of the items
 */
@FunctionalInterface
public interface SyncHandler<T> {

    /**
     * Processes the item. Returning means that it needs no more tries; throwing means to try again later. Called by
     * several threads at a time, but never for the same item.
     */
    void sync(T item) throws Exception;
}
