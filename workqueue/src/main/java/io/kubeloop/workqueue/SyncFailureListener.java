package io.kubeloop.workqueue;

/**
 * Receives each item whose processing failed, for example to log it.
 *
 * @param <T> the type of the items
 */
@FunctionalInterface
public interface SyncFailureListener<T> {

    /**
     * Called on the worker's thread, after it was decided what becomes of the item and before the item is done.
     *
     * @param error what the handler threw
     * @param retries how often the item was retried before this failure
     * @param willRetry false if the item is given up, or the queue is shutting down
     */
    void failed(T item, Throwable error, int retries, boolean willRetry);
}
