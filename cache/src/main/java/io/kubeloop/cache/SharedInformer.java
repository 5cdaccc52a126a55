/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Keeps a local copy of a resource up to date, and passes its changes to any number of handlers (upstream:
 * {@code cache.SharedIndexInformer}). Thread-safe.
 *
 * <p>Only {@link #awaitSync}, {@link #awaitObserved} and {@link #close} block. Reads never call the server.
 *
 * @param <T> the type of the objects
 */
public interface SharedInformer<T> extends CacheProgress, AutoCloseable {

    /**
     * Adds a handler with the informer's resync period, before or after the start. The handler receives an addition for
     * every cached object, then each later change.
     *
     * @return the registration, which removes the handler
     * @throws IllegalStateException if the informer is closed
     */
    Registration addHandler(ResourceEventHandler<? super T> handler);

    /**
     * Adds a handler with its own resync period: after each period, the cache passes every object on again.
     *
     * <p>A period below one second is raised to one second. The shortest period requested before the start is the
     * minimum for later handlers: shorter periods requested after the start are raised to it. If the informer's own
     * resync period is zero, it does no resyncs and logs a warning.
     *
     * @param resyncPeriod zero for never
     * @return the registration, which removes the handler
     * @throws IllegalArgumentException if the period is negative
     * @throws IllegalStateException if the informer is closed
     */
    Registration addHandler(ResourceEventHandler<? super T> handler, Duration resyncPeriod);

    /**
     * Adds index functions, before or after the start. Each maps an object to the values under which it is found.
     * Cached objects are indexed before this returns. O(n) in them.
     *
     * @param indexers index functions by name
     * @throws IllegalArgumentException if a name is taken; no index is added then
     * @throws IllegalStateException if the informer is closed
     */
    void addIndexers(Map<String, Function<T, List<String>>> indexers);

    /**
     * Returns the objects with this index value. O(result).
     *
     * @throws IllegalArgumentException if the index does not exist
     */
    List<T> byIndex(String indexName, String value);

    /** Returns the names of the indices, sorted. */
    Set<String> indexNames();

    /**
     * Returns the values under which the index has objects. O(n) in their number; copies.
     *
     * @throws IndexException if there is no such index
     */
    List<String> indexValues(String indexName);

    /** Returns a view of the cache. */
    Lister<T> lister();

    /**
     * Sets the transform that is applied to every object before it is stored. It replaces the configured transform and
     * that of an earlier call. {@link Transforms} has ready-made transforms.
     *
     * <p>The thread that reads from the server runs the transform once for each object that arrives, so it must be
     * quick. If it throws on an object of a list, the list fails and is repeated. If it throws on an event of a watch,
     * the cache lacks that change until the next list.
     *
     * @throws IllegalStateException if the informer has been started
     */
    void setTransform(UnaryOperator<T> transform);

    /**
     * Sets the handler of failed lists and watches; without a handler, they are logged (upstream: {@code
     * SetWatchErrorHandler}). A later call replaces the handler.
     *
     * @throws IllegalStateException if the informer has been started
     */
    void setWatchErrorHandler(WatchErrorHandler handler);

    /** Starts the threads and returns. A second call, or a call after {@link #close()}, has no effect. */
    void start();

    /**
     * Returns whether the cache holds everything in the first list. Handlers may lag behind. Once true, always true.
     */
    boolean hasSynced();

    /**
     * Blocks until {@link #hasSynced}, woken by the thread that fills the cache. Handlers may lag behind;
     * {@link Registration#awaitSync} waits for one of them.
     *
     * @param timeout maximum time to wait; zero or less checks once
     * @throws CacheSyncTimeoutException if the time passes or the informer is closed first; the message states the
     *     reason, and the missing RBAC rule if the server refused a request
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /**
     * Blocks until the cache has received this version of the object, a later version, or its deletion. A controller
     * uses it to read its own write. This usually takes milliseconds; the thread that fills the cache wakes the caller.
     * Handlers may lag behind the cache.
     *
     * <p>Do not call this from a transform, an index function or a watch error handler: the call would wait for its own
     * thread.
     *
     * <p>A deleted object counts as observed when the cache has processed every change up to this version; see {@link
     * #hasObserved}.
     *
     * <p>An informer that is not started, or whose scope excludes the object, may observe nothing, or only at the next
     * bookmark.
     *
     * @param key the key of the object
     * @param resourceVersion the version that the server returned for the write; a decimal number
     * @param timeout maximum time to wait; zero or less checks once
     * @throws IllegalArgumentException if the version is not a resource version
     * @throws NotObservedException if the time passes or the informer is closed first; the message states what the
     *     cache had
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    void awaitObserved(ObjectName key, String resourceVersion, Duration timeout) throws InterruptedException;

    /** Returns the resource version of the last list or event that was received; empty before the first list. */
    String lastSyncResourceVersion();

    /** Returns the current state of the informer. */
    InformerHealth health();

    /**
     * Stops the threads, drops pending notifications, and blocks until all threads have ended, for at most 30 seconds.
     * A running call of a handler is not interrupted; a thread that has not ended in time is left behind and logged. An
     * interrupt ends the wait, and the interrupt flag stays set.
     *
     * <p>Safe to call twice. Called from a handler or another thread of the informer, or of its factory, it does not
     * wait.
     */
    @Override
    void close();
}
