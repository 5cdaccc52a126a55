/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

/**
 * Receives each item whose processing failed, for example to log it.
 *
 * @param <T> the type of the items
 */
@FunctionalInterface
public interface SyncFailureListener<T> {

    /**
     * Called on the worker's thread, after the worker has requeued or forgotten the item, and before the item is done.
     *
     * @param item the item that failed
     * @param error the error that the handler threw
     * @param retries the number of retries before this failure
     * @param willRetry whether the item is retried; false after the last retry, or if the queue is shutting down
     */
    void failed(T item, Throwable error, int retries, boolean willRetry);
}
