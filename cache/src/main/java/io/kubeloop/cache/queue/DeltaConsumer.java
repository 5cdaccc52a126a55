/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import java.util.List;

/**
 * Receives the entries of a {@link DeltaQueue}, on the thread that pops them and never under a lock of the queue.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface DeltaConsumer<K, T> {

    /**
     * Receives changes in their order. A key may occur more than once.
     *
     * @param deltas valid during the call only
     * @param isInInitialList whether the changes belong to the first list
     */
    void deltas(List<Delta<K, T>> deltas, boolean isInInitialList);

    /** Receives a whole list. Stored objects that are not in the list were deleted. */
    void replacedAll(List<T> objects, String resourceVersion, boolean isInInitialList);

    /** A resync: the consumer passes every stored object on again. */
    void syncAll();

    /** A bookmark: every change up to this version has been delivered before this call. */
    void bookmark(String resourceVersion);

    /** The first list has been delivered and processed. Called again only if it threw. */
    void synced();
}
