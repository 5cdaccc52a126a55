package io.kubeloop.cache;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One version of a store's content: items, indices and resource version, always in step. Immutable.
 *
 * @param items the objects by key
 * @param indices the indices by name
 * @param resourceVersion of the last write; empty if none is known
 */
record StoreState<K, T>(PersistentMap<K, T> items, Map<String, Index<K, T>> indices, String resourceVersion) {

    /**
     * One index: for each value the objects under it. A value without objects is not there (IX-04).
     *
     * @param function computes the values of an object; user code
     * @param buckets the objects by key, by value. Holding the objects and not only their keys makes a read one walk
     */
    record Index<K, T>(
            Function<? super T, ? extends List<String>> function, PersistentMap<String, PersistentMap<K, T>> buckets) {}

    static <K, T> StoreState<K, T> empty() {
        return new StoreState<>(PersistentMap.empty(), Map.of(), "");
    }

    Index<K, T> index(String name) {
        Index<K, T> index = indices.get(name);
        if (index == null) {
            throw new IllegalArgumentException("there is no index \"" + name + "\", only " + indices.keySet());
        }
        return index;
    }

    PersistentMap<K, T> bucket(String indexName, String value) {
        PersistentMap<K, T> bucket = index(indexName).buckets().get(value);
        return bucket == null ? PersistentMap.empty() : bucket;
    }

    /** Adds empty indices; the caller fills them. */
    StoreState<K, T> withIndices(Map<String, ? extends Function<? super T, ? extends List<String>>> functions) {
        Map<String, Index<K, T>> more = new LinkedHashMap<>(indices);
        functions.forEach((name, function) -> {
            @Nullable Index<K, T> taken = more.putIfAbsent(name, new Index<>(function, PersistentMap.empty()));
            if (taken != null) {
                throw new IllegalArgumentException(
                        "cannot add indices " + functions.keySet() + ": \"" + name + "\" is taken");
            }
        });
        return new StoreState<>(items, more, resourceVersion);
    }
}
