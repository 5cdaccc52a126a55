package io.kubeloop.cache;

import io.kubeloop.api.ObjectName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Keeps a local copy of a resource up to date and tells any number of handlers what changes (upstream:
 * {@code cache.SharedIndexInformer}). Thread-safe.
 *
 * @param <T> the type of the objects
 */
public interface SharedInformer<T> extends AutoCloseable {

    /**
     * Adds a handler with the informer's own resync period; it gets an add for every object in the cache, then what happens
     * from there on (I4). Works before and after the start.
     *
     * @throws IllegalStateException if the informer is closed
     */
    Registration addHandler(ResourceEventHandler<? super T> handler);

    /**
     * Adds a handler that is shown every object again from the cache, each time the period has passed.
     *
     * <p>A period below one second is raised to that. Resyncs are checked for in the shortest period that was asked for
     * before the start; a shorter one asked for later is raised to it. An informer without resync period does none at all,
     * and says so in the log (RS-02).
     *
     * @param resyncPeriod zero for never
     * @throws IllegalArgumentException if the period is negative
     * @throws IllegalStateException if the informer is closed
     */
    Registration addHandler(ResourceEventHandler<? super T> handler, Duration resyncPeriod);

    /**
     * Adds index functions, each from an object to the values it is found under. Works before and after the start; present
     * objects are indexed at once. O(n) in them.
     *
     * @throws IllegalArgumentException if a name is taken; none is added then
     * @throws IllegalStateException if the informer is closed
     */
    void addIndexers(Map<String, Function<T, List<String>>> indexers);

    /**
     * Returns the objects that the index has under the value. O(result).
     *
     * @throws IllegalArgumentException if there is no such index
     */
    List<T> byIndex(String indexName, String value);

    /** Returns a view of the cache. */
    Lister<T> lister();

    /**
     * Sets what is done to every object before anybody sees it, such as dropping fields that nobody needs
     * ({@link Transforms} has some ready), in place of the configuration's transform. The last call counts. Runs once per
     * object that arrives, on the thread that reads from the server: it must be quick. If it throws on an object of a list
     * the list fails and is tried again; on an event of a watch the object is left out until the next list.
     *
     * @throws IllegalStateException if the informer has been started
     */
    void setTransform(UnaryOperator<T> transform);

    /**
     * Sets what is told when a list or watch fails, in place of the log (upstream: {@code SetWatchErrorHandler}). The last
     * call counts.
     *
     * @throws IllegalStateException if the informer has been started (SI-04)
     */
    void setWatchErrorHandler(WatchErrorHandler handler);

    /** Starts the threads; a second call does nothing, nor does one after {@link #close()}. */
    void start();

    /** Returns whether the cache holds everything of the first list; handlers may lag behind it. Once true, always true. */
    boolean hasSynced();

    /**
     * Blocks until {@link #hasSynced}. Handlers may lag behind; {@link Registration#awaitSync} waits for one of them.
     *
     * @throws CacheSyncTimeoutException if the time passes or the informer is closed first; says why, and what RBAC rule is
     *     needed if the server refused it
     * @throws InterruptedException if interrupted while waiting
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /**
     * Blocks until the cache has seen this version of the object, a later one, or its end: to read one's own write. Usually
     * milliseconds; woken by the thread that fills the cache, without polling. Handlers may lag behind the cache. Not to be
     * called from a transform, an index function or a watch error handler: they would wait for themselves.
     *
     * <p>That an object is gone is seen by versions: everything up to this one has been heard. With
     * {@link InformerConfig.QueueKind#DELTA_FIFO}, which reorders, that is known only at moments when nothing is queued.
     * A change that was lost on its way, because the transform threw or processing it failed, counts as heard: until the
     * next list the cache may lack it although this has returned.
     *
     * <p>An informer that is not started, or does not hold the object (other namespace, selectors), may observe nothing or
     * take until the next bookmark.
     *
     * @param key the object's key
     * @param resourceVersion as the server returned it from the write; a decimal number
     * @throws IllegalArgumentException if that is no resource version
     * @throws NotObservedException if the time passes or the informer is closed first; says what was there
     * @throws InterruptedException if interrupted while waiting
     */
    void awaitObserved(ObjectName key, String resourceVersion, Duration timeout) throws InterruptedException;

    /** Returns the resource version up to which the server has been heard; empty before the first list. */
    String lastSyncResourceVersion();

    /** Returns how the informer is doing. */
    InformerHealth health();

    /**
     * Stops the threads and waits for them (I12), for half a minute at most: the call of a handler that is running is finished,
     * notifications that wait are dropped. Safe to call twice and from a handler; called from one, it does not wait.
     */
    @Override
    void close();
}
