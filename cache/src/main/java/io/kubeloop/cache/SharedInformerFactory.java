/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import java.time.Duration;
import java.util.List;

/**
 * Returns one shared informer per resource and {@link InformerScope}, and starts and stops them together (upstream:
 * {@code informers.SharedInformerFactory}). Thread-safe. Only {@link #awaitSync} and {@link #close} block.
 */
public interface SharedInformerFactory extends AutoCloseable {

    /**
     * Returns the informer of the resource in the factory's own scope. The first call, and a call after that informer
     * was closed, creates one. All callers share the informer, so a caller must not close it while others use it.
     *
     * @throws IllegalStateException if the factory is closed
     */
    <T extends KubeObject> SharedInformer<T> informer(ResourceType<T> type);

    /**
     * Returns the informer of the resource in the given scope. The first call, and a call after that informer was
     * closed, creates one. Each scope has a watch and a cache of its own.
     *
     * @throws IllegalStateException if the factory is closed
     */
    <T extends KubeObject> SharedInformer<T> informer(ResourceType<T> type, InformerScope scope);

    /**
     * Returns the type of whole objects under which an informer of the factory's own scope caches this resource; the
     * argument if there is none. A component that reads only metadata shares that informer. O(number of informers).
     *
     * @throws IllegalStateException if the factory is closed
     */
    ResourceType<? extends KubeObject> cachedAs(ResourceType<PartialObjectMetadata> type);

    /** Starts every informer of this factory that is not started yet, and returns. */
    void start();

    /**
     * Blocks until the caches of all started informers are filled. Handlers may lag behind them.
     *
     * @param timeout maximum time to wait for all of them together; zero or less checks once
     * @throws CacheSyncTimeoutException if the time passes or an informer is closed first. The message names each
     *     informer, its last error, and the probable cause: a missing RBAC rule if the server refused a request, or a
     *     resource that the server does not have
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /**
     * Returns the state of each informer, in the order of their creation. A closed informer is included until the next
     * request for an informer.
     */
    List<InformerHealth> health();

    /**
     * Stops every informer, and blocks until all threads have ended, for at most 30 seconds per informer. An interrupt
     * ends the waits, and the interrupt flag stays set. Safe to call twice. Called from a handler, it does not wait.
     */
    @Override
    void close();
}
