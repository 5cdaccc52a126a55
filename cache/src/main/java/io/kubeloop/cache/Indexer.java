/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A {@link Store} that also finds objects by computed values (upstream: {@code cache.Indexer}). Thread-safe.
 * {@link Indexers#create} makes one without an informer.
 *
 * <p>An index function maps an object to any number of values. Its result must depend on the object alone. A write may
 * call it more than once. It is never called under a lock.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface Indexer<K, T> extends Store<K, T> {

    /**
     * Returns the objects that share an index value with the given object, each once. O(result); copies.
     *
     * @throws IllegalArgumentException if the index does not exist
     * @throws IndexException if the index function fails on the given object
     */
    List<T> index(String indexName, T object);

    /**
     * Returns the objects with this index value, in no particular order. O(result); copies.
     *
     * @throws IllegalArgumentException if the index does not exist
     */
    List<T> byIndex(String indexName, String value);

    /**
     * Returns the keys of the objects with this index value, sorted. O(m log m) in the result.
     *
     * @throws IllegalArgumentException if the index does not exist
     */
    List<K> indexKeys(String indexName, String value);

    /**
     * Returns the values that have at least one object in the index; an empty list if the index does not exist.
     * O(values).
     */
    List<String> indexValues(String indexName);

    /**
     * Returns the values that the index function computes for this object, whether or not the object is stored.
     *
     * @throws IllegalArgumentException if the index does not exist
     * @throws IndexException if the index function fails on the object
     */
    List<String> valuesOf(String indexName, T object);

    /** Returns the names of the indices. */
    Set<String> indexNames();

    /**
     * Adds indices and fills them from the stored objects: all of them, or none. O(n).
     *
     * @throws IllegalArgumentException if a name is taken
     * @throws IndexException if an index function fails on an object; the indices exist then, without that object
     *     unless another write replaced it meanwhile
     */
    void addIndexers(Map<String, ? extends Function<? super T, ? extends List<String>>> indexers);
}
