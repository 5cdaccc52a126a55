/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds objects by key (upstream: {@code cache.Store}). Thread-safe. Objects are shared, not copied, so they must not
 * be changed.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface Store<K, T> {

    /**
     * Stores the object under its key, and replaces an object that is there.
     *
     * @throws KeyException if the object has no key
     * @throws IndexException if an index function fails; the object is stored, and only that index lacks it
     */
    void add(T object);

    /** Does the same as {@link #add}. */
    void update(T object);

    /**
     * Removes the object with this object's key. Has no effect if there is none.
     *
     * @throws KeyException if the object has no key
     */
    void delete(T object);

    /**
     * Returns the stored object with this object's key, or null.
     *
     * @throws KeyException if the object has no key
     */
    @Nullable
    T get(T object);

    /** Returns the stored object, or null. */
    @Nullable
    T getByKey(K key);

    /** Returns all objects, as one consistent snapshot in no particular order. O(n); copies. */
    List<T> list();

    /** Returns all keys, as one consistent snapshot in no particular order. O(n); copies. */
    List<K> listKeys();

    /**
     * Replaces the whole content in one step. If two objects have the same key, the later one is stored.
     *
     * @param resourceVersion the version of the list, which {@link #resourceVersion()} then returns
     * @throws KeyException if an object has no key; nothing is changed then
     * @throws IndexException if an index function fails; the objects are stored, and only that index lacks some
     */
    void replace(Collection<? extends T> objects, String resourceVersion);

    /** Returns the number of objects. */
    int size();

    /** Returns the resource version of the last write; empty if none is known. */
    String resourceVersion();
}
