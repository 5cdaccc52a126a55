/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

/**
 * The version up to which a cache has processed the changes of the server (upstream: {@code
 * LastStoreSyncResourceVersion}, KEP-5647). A controller compares it with the versions of its own writes to determine
 * whether the cache shows them. Thread-safe; no method blocks.
 */
public interface CacheProgress {

    /**
     * Returns whether the cache has processed every change up to this version. An object that was written at this
     * version and that the cache lacks is then gone. Handlers may lag behind the cache.
     *
     * <p>False while the cache cannot name its version: before the first list, and after a list without a version until
     * the first change or bookmark of the watch. With {@link InformerConfig.QueueKind#DELTA_FIFO}, which reorders keys,
     * the cache can name its version only while the queue is empty. A change that was lost, because a transform threw
     * or its processing failed, counts as processed: the cache may lack it until the next list.
     *
     * @param resourceVersion the version that the server returned for a write; false if it is not a decimal number
     */
    boolean hasObserved(String resourceVersion);

    /**
     * Runs the action once, as soon as {@link #hasObserved} is true for this version: at once on this thread, or later
     * on the thread that fills the cache. The action must be quick and must not block, such as one that adds a key to a
     * queue. It never runs if the informer is closed first. O(log n) in the actions that wait.
     *
     * @throws IllegalArgumentException if the version is not a resource version
     */
    void whenObserved(String resourceVersion, Runnable action);
}
