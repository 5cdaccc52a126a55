package io.kubeloop.cache;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds objects by key (upstream: {@code cache.Store}). Thread-safe.
 *
 * <p>Objects are shared, not copied: they must not change.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface Store<K, T> {

    /**
     * Stores the object under its key, whether or not the key is taken (ST-01).
     *
     * @throws KeyException if the object has no key
     * @throws IndexException if an index function failed; the object is stored, and missing from that index
     */
    void add(T object);

    /** Does the same as {@link #add}. */
    void update(T object);

    /**
     * Removes what is stored under the object's key; nothing happens if there is nothing (ST-02).
     *
     * @throws KeyException if the object has no key
     */
    void delete(T object);

    /**
     * Returns what is stored under the object's key, or null.
     *
     * @throws KeyException if the object has no key
     */
    @Nullable
    T get(T object);

    /** Returns what is stored under the key, or null. */
    @Nullable
    T getByKey(K key);

    /** Returns every object, as one consistent snapshot in no particular order. O(n); copies. */
    List<T> list();

    /** Returns every key, as one consistent snapshot in no particular order. O(n); copies. */
    List<K> listKeys();

    /**
     * Replaces the whole content in one step; of two objects with one key the later one stays (ST-05).
     *
     * @param resourceVersion the version of the list, remembered by {@link #resourceVersion()}
     * @throws KeyException if an object has no key; nothing has changed then
     * @throws IndexException if an index function failed; the objects are stored, and missing from that index
     */
    void replace(Collection<? extends T> objects, String resourceVersion);

    /** Returns how many objects there are. */
    int size();

    /** Returns the resource version of the last write; empty if none is known (RV-01). */
    String resourceVersion();
}
