/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

/**
 * Syncs one item: the body of a controller's loop (upstream: {@code syncHandler} of the controllers).
 *
 * @param <T> the type of the items
 */
@FunctionalInterface
public interface SyncHandler<T> {

    /**
     * Syncs the item. After a normal return the item is not retried; after an exception it is retried later. Several
     * threads call this method at the same time, but never with the same item.
     */
    void sync(T item) throws Exception;
}
