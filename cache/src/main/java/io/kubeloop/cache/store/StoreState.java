package io.kubeloop.cache.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One version of a store's content: objects, indices and resource version, always consistent. Immutable.
 *
 * @param items the objects by key
 * @param indices the indices; a list, because a search among few is faster than a map
 * @param resourceVersion the version of the last write; empty if none is known
 */
public record StoreState<K, T>(PersistentMap<K, T> items, List<Index<K, T>> indices, String resourceVersion) {

    /**
     * One index: the objects under each value. A value without objects has no bucket; otherwise an index with many
     * values would leak.
     *
     * @param name the name of the index
     * @param function computes the values of an object; user code
     * @param buckets the objects by key, by value. They hold objects instead of keys, so that a read is one walk
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

    /** Throws if one of these names is taken. */
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
