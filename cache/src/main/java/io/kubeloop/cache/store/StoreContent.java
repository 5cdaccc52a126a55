/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a store and its indices. {@link ThreadSafeStore} states which thread may call which method.
 *
 * @param items the objects by key
 * @param indices the indices; a list, because a search among few is faster than a map
 */
record StoreContent<K, T>(FlatTable<K, T> items, List<Index<K, T>> indices) {

    /**
     * One index: the objects under each value. A value without objects has no bucket; otherwise an index with many
     * values would leak.
     *
     * @param name the name of the index
     * @param function computes the values of an object; user code
     * @param buckets the objects by key, by value. They hold objects instead of keys, so a read is one walk
     * @param complete whether it holds all objects; until then only writers use it
     */
    record Index<K, T>(
            String name,
            Function<? super T, ? extends List<String>> function,
            FlatTable<String, FlatTable<K, T>> buckets,
            boolean complete) {

        Index<K, T> completed() {
            return new Index<>(name, function, buckets, true);
        }
    }

    static <K, T> StoreContent<K, T> empty() {
        return new StoreContent<>(new FlatTable<>(), List.of());
    }

    /** Returns a content without objects, with the same indices, empty. */
    StoreContent<K, T> emptied() {
        List<Index<K, T>> empty = new ArrayList<>(indices.size());
        for (Index<K, T> index : indices) {
            empty.add(new Index<>(index.name, index.function, new FlatTable<>(), index.complete));
        }
        return new StoreContent<>(new FlatTable<>(), empty);
    }

    /** Returns the complete index of this name, or null. */
    @Nullable
    Index<K, T> find(String name) {
        for (Index<K, T> index : indices) {
            if (index.complete && index.name.equals(name)) {
                return index;
            }
        }
        return null;
    }

    Index<K, T> index(String name) {
        Index<K, T> index = find(name);
        if (index == null) {
            throw new IllegalArgumentException("there is no index \"" + name + "\", only " + names());
        }
        return index;
    }

    List<String> names() {
        return indices.stream().filter(Index::complete).map(Index::name).toList();
    }

    /** Makes a change in the objects and in each index. */
    void apply(KeyChange<K, T> change) {
        T after = change.after;
        if (after == null) {
            items.remove(change.key);
        } else {
            items.put(change.key, after);
        }
        for (int i = 0; i < indices.size(); i++) {
            apply(change, after, indices.get(i).buckets, change.valuesBefore(i), change.valuesAfter(i));
        }
    }

    private static <K, T> void apply(
            KeyChange<K, T> change,
            @Nullable T after,
            FlatTable<String, FlatTable<K, T>> buckets,
            @Nullable List<String> before,
            @Nullable List<String> now) {
        List<String> previous = before == null ? buckets.keys() : before; // unknown: it may be in any bucket
        for (int i = 0; i < previous.size(); i++) {
            String value = previous.get(i);
            FlatTable<K, T> bucket = buckets.get(value);
            if (bucket != null && (now == null || !now.contains(value))) {
                bucket.remove(change.key);
                if (bucket.size() == 0) {
                    buckets.remove(value);
                }
            }
        }
        for (int i = 0; after != null && now != null && i < now.size(); i++) {
            FlatTable<K, T> bucket = buckets.get(now.get(i));
            if (bucket == null) {
                bucket = new FlatTable<>();
                buckets.put(now.get(i), bucket);
            }
            bucket.put(change.key, after);
        }
    }
}
