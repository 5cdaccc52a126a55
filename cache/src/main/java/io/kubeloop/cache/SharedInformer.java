package io.kubeloop.cache;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Keeps a local copy of a resource up to date and tells any number of handlers what changes (upstream:
 * {@code cache.SharedIndexInformer}). Thread-safe.
 *
 * @param <T> the type of the objects
 */
public interface SharedInformer<T> extends AutoCloseable {

    /**
     * Adds a handler; it gets an add for every object in the cache, then what happens from there on (I4). Works before and
     * after the start.
     */
    Registration addHandler(ResourceEventHandler<? super T> handler);

    /**
     * Adds a handler that is shown every object again from the cache, each time the period has passed.
     *
     * @param resyncPeriod zero for never
     */
    Registration addHandler(ResourceEventHandler<? super T> handler, Duration resyncPeriod);

    /**
     * Adds index functions, each from an object to the values it is found under.
     *
     * @throws IllegalArgumentException if a name is taken
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

    /** Starts the threads; a second call does nothing. */
    void start();

    /** Returns whether the cache holds everything of the first list; handlers may lag behind it. */
    boolean hasSynced();

    /** Returns the resource version up to which the server has been heard; empty before the first list. */
    String lastSyncResourceVersion();

    /** Stops the threads and waits for them (I12); safe to call twice and from a handler. */
    @Override
    void close();
}
