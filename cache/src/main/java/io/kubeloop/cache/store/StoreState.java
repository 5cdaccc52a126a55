package io.kubeloop.cache.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One version of a store's content: items, indices and resource version, always in step. Immutable.
 *
 * @param items the objects by key
 * @param indices the indices; few, so that a list is searched faster than a map
 * @param resourceVersion of the last write; empty if none is known
 */
public record StoreState<K, T>(PersistentMap<K, T> items, List<Index<K, T>> indices, String resourceVersion) {

    /**
     * One index: for each value the objects under it. A value without objects is not there (IX-04).
     *
     * @param name its name
     * @param function computes the values of an object; user code
     * @param buckets the objects by key, by value. Holding the objects and not only their keys makes a read one walk
     */
    public record Index<K, T>(
            String name,
            Function<? super T, ? extends List<String>> function,
            PersistentMap<String, PersistentMap<K, T>> buckets) {

        public Index<K, T> emptied() {
            return new Index<>(name, function, PersistentMap.empty());
        }
    }

    static <K, T> StoreState<K, T> empty() {
        return new StoreState<>(PersistentMap.empty(), List.of(), "");
    }

    /** Returns the index of this name, or null. */
    @Nullable
    public Index<K, T> find(String name) {
        for (Index<K, T> index : indices) {
            if (index.name().equals(name)) {
                return index;
            }
        }
        return null;
    }

    public Index<K, T> index(String name) {
        Index<K, T> index = find(name);
        if (index == null) {
            throw new IllegalArgumentException("there is no index \"" + name + "\", only " + names());
        }
        return index;
    }

    List<String> names() {
        return indices.stream().map(Index::name).toList();
    }

    PersistentMap<K, T> bucket(String indexName, String value) {
        PersistentMap<K, T> bucket = index(indexName).buckets().get(value);
        return bucket == null ? PersistentMap.empty() : bucket;
    }

    /** Refuses all of these names if one is taken. */
    void requireFree(Set<String> wanted) {
        for (String name : wanted) {
            if (find(name) != null) {
                throw new IllegalArgumentException("cannot add indices " + wanted + ": \"" + name + "\" is taken");
            }
        }
    }

    /** Returns empty indices for the functions. */
    static <K, T> List<Index<K, T>> newIndices(
            Map<String, ? extends Function<? super T, ? extends List<String>>> functions) {
        List<Index<K, T>> made = new ArrayList<>();
        functions.forEach((name, function) -> made.add(new Index<>(name, function, PersistentMap.empty())));
        return made;
    }
}
