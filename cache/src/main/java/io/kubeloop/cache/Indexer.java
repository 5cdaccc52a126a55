package io.kubeloop.cache;

import io.kubeloop.cache.store.ThreadSafeStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} whose objects are also found by computed values (upstream: {@code cache.Indexer}). Thread-safe.
 *
 * <p>An index function maps an object to the values it is found under, any number of them. It must depend on the object
 * alone; it may be called more than once for one write, and never under a lock.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public interface Indexer<K, T> extends Store<K, T> {

    /**
     * Returns an empty store without indices. It has no lock: reads never wait, and a write that meets another write retries.
     *
     * @param keyOf returns an object's key; throws if the object has none
     * @param versionOf returns an object's resource version; null leaves the version of the store unchanged
     * @param <K> the type of the keys
     * @param <T> the type of the objects
     */
    static <K extends Comparable<? super K>, T> Indexer<K, T> create(
            Function<? super T, ? extends K> keyOf, Function<? super T, @Nullable String> versionOf) {
        return new ThreadSafeStore<>(keyOf, versionOf);
    }

    /**
     * Returns the objects that share an index value with the given one, each once. O(result); copies.
     *
     * @throws IllegalArgumentException if there is no such index
     * @throws IndexException if the index function failed on the given object
     */
    List<T> index(String indexName, T object);

    /**
     * Returns the objects that the index has under the value, in no particular order. O(result); copies.
     *
     * @throws IllegalArgumentException if there is no such index
     */
    List<T> byIndex(String indexName, String value);

    /**
     * Returns the keys of those objects, sorted. O(m log m) in the result.
     *
     * @throws IllegalArgumentException if there is no such index
     */
    List<K> indexKeys(String indexName, String value);

    /** Returns the values that the index has objects for; none if there is no such index (IX-05). O(values). */
    List<String> indexValues(String indexName);

    /**
     * Returns the values under which the index files this object, whether or not it is stored: what its function says.
     *
     * @throws IllegalArgumentException if there is no such index
     * @throws IndexException if the index function failed on the object
     */
    List<String> valuesOf(String indexName, T object);

    /** Returns the names of the indices. */
    Set<String> indexNames();

    /**
     * Adds indices and fills them from the present content, all or none (IX-07). O(n).
     *
     * @throws IllegalArgumentException if a name is taken
     * @throws IndexException if an index function failed on an object; the indices are there, without that object, unless
     *     it was replaced while they were built
     */
    void addIndexers(Map<String, ? extends Function<? super T, ? extends List<String>>> indexers);
}
