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
     * @param buckets the objects by key, by value. They hold objects instead of keys, so that a read is one walk
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

    /** Makes room for a change. May fail for lack of memory, and leaves the content as it was. */
    void prepare(KeyChange<K, T> change) {
        if (change.before == null && change.after != null) {
            items.claim(change.key);
        }
        for (int i = 0; i < indices.size(); i++) {
            FlatTable<String, FlatTable<K, T>> buckets = indices.get(i).buckets;
            if (change.valuesBefore(i) == null) {
                change.valuesBefore(i, buckets.keys()); // it may be in any bucket
            }
            List<String> values = change.valuesAfter(i);
            for (int j = 0; values != null && j < values.size(); j++) {
                FlatTable<K, T> bucket = buckets.get(values.get(j));
                if (bucket == null) {
                    bucket = new FlatTable<>();
                    buckets.claim(values.get(j));
                    buckets.put(values.get(j), bucket);
                }
                bucket.claim(change.key);
            }
        }
    }

    /** Makes a prepared change. Allocates nothing. Returns whether a bucket became empty. */
    boolean apply(KeyChange<K, T> change) {
        T after = change.after;
        if (after == null) {
            items.remove(change.key);
        } else {
            items.put(change.key, after);
        }
        boolean emptied = false;
        for (int i = 0; i < indices.size(); i++) {
            FlatTable<String, FlatTable<K, T>> buckets = indices.get(i).buckets;
            List<String> valuesAfter = change.valuesAfter(i);
            List<String> valuesBefore = change.valuesBefore(i);
            for (int j = 0; valuesBefore != null && j < valuesBefore.size(); j++) {
                FlatTable<K, T> bucket = buckets.get(valuesBefore.get(j));
                if (bucket != null && (valuesAfter == null || !valuesAfter.contains(valuesBefore.get(j)))) {
                    bucket.remove(change.key);
                    emptied |= bucket.size() == 0;
                }
            }
            for (int j = 0; after != null && valuesAfter != null && j < valuesAfter.size(); j++) {
                FlatTable<K, T> bucket = buckets.get(valuesAfter.get(j));
                if (bucket != null) { // always: prepare() made it
                    bucket.put(change.key, after);
                }
            }
        }
        return emptied;
    }

    /** Drops the buckets that the change emptied. Allocates nothing. */
    void dropEmptied(KeyChange<K, T> change) {
        for (int i = 0; i < indices.size(); i++) {
            FlatTable<String, FlatTable<K, T>> buckets = indices.get(i).buckets;
            List<String> values = change.valuesBefore(i);
            for (int j = 0; values != null && j < values.size(); j++) {
                FlatTable<K, T> bucket = buckets.get(values.get(j));
                if (bucket != null && bucket.size() == 0) {
                    buckets.remove(values.get(j));
                }
            }
        }
    }
}
