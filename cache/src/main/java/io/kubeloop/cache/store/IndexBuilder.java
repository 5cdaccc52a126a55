package io.kubeloop.cache.store;

import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.store.StoreState.Index;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds the next version of one index, as part of a {@link StoreTransaction}. Not thread-safe. */
final class IndexBuilder<K, T> {

    private final String name;
    private final Function<? super T, ? extends List<String>> function;
    private final PersistentMap.Builder<String, PersistentMap<K, T>> buckets;

    /** The last written bucket stays open, because a list delivers its objects namespace by namespace. */
    private @Nullable String openValue;

    private PersistentMap.@Nullable Builder<K, T> openBucket;
    private @Nullable IndexException failure;

    IndexBuilder(Index<K, T> base) {
        this.name = base.name();
        this.function = base.function();
        this.buckets = base.buckets().toBuilder();
    }

    /** Moves the key from the old object's values to the new object's values. Either object may be null. */
    void move(K key, @Nullable T oldObject, @Nullable T newObject) {
        List<String> newValues = newObject == null ? List.of() : valuesOf(key, newObject);
        if (oldObject != null) {
            List<String> oldValues = valuesOf(key, oldObject);
            if (oldValues == null) {
                removeEverywhere(key);
            } else {
                for (String value : oldValues) {
                    if (newValues == null || !newValues.contains(value)) {
                        remove(value, key);
                    }
                }
            }
        }
        if (newObject != null && newValues != null) {
            for (String value : newValues) {
                open(value).put(key, newObject);
            }
        }
    }

    Index<K, T> build() {
        closeBucket();
        return new Index<>(name, function, buckets.build());
    }

    @Nullable
    IndexException failure() {
        return failure;
    }

    /** Returns the values; null, and remembers the failure, if the function failed. */
    private @Nullable List<String> valuesOf(K key, T object) {
        try {
            List<String> values = function.apply(object);
            if (values != null) {
                return List.copyOf(values); // throws if a value is null
            }
            failure = new IndexException("index \"" + name + "\" returned null for " + key, null);
        } catch (Throwable e) {
            // Any exception or error costs this index one object. It must not cost the store the whole batch.
            failure = new IndexException("index \"" + name + "\" failed on " + key, e);
        }
        return null;
    }

    private void remove(String value, K key) {
        open(value).remove(key);
    }

    /**
     * Removes the key from every bucket. Necessary when the function fails on the old object, so its values are
     * unknown. O(values).
     */
    private void removeEverywhere(K key) {
        closeBucket();
        for (String value : buckets.build().keys()) {
            remove(value, key);
        }
    }

    private PersistentMap.Builder<K, T> open(String value) {
        if (openBucket == null || !value.equals(openValue)) {
            closeBucket();
            PersistentMap<K, T> bucket = buckets.get(value);
            openValue = value;
            openBucket = (bucket == null ? PersistentMap.<K, T>empty() : bucket).toBuilder();
        }
        return openBucket;
    }

    private void closeBucket() {
        if (openBucket == null || openValue == null) {
            return;
        }
        if (openBucket.size() == 0) {
            buckets.remove(openValue);
        } else {
            buckets.put(openValue, openBucket.build());
        }
        openBucket = null;
        openValue = null;
    }
}
