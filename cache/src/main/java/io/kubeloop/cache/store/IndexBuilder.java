package io.kubeloop.cache.store;

import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.store.StoreState.Index;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The next version of one index, as part of a {@link StoreTransaction}. Not thread-safe. */
final class IndexBuilder<K, T> {

    private final String name;
    private final Function<? super T, ? extends List<String>> function;
    private final PersistentMap.Builder<String, PersistentMap<K, T>> buckets;

    /** The bucket written last stays open: the objects of a list come namespace by namespace. */
    private @Nullable String openValue;

    private PersistentMap.@Nullable Builder<K, T> openBucket;
    private @Nullable IndexException failure;

    IndexBuilder(Index<K, T> base) {
        this.name = base.name();
        this.function = base.function();
        this.buckets = base.buckets().toBuilder();
    }

    /** Moves the key from the old object's values to the new one's; each may be null. */
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

    /** Returns null, and remembers why, if the function failed. */
    private @Nullable List<String> valuesOf(K key, T object) {
        try {
            List<String> values = function.apply(object);
            if (values != null) {
                return List.copyOf(values); // which fails on a null among them
            }
            failure = new IndexException("index \"" + name + "\" returned null for " + key, null);
        } catch (Throwable e) {
            // Whatever it is, it must cost this index one object, not the store all changes of the batch.
            failure = new IndexException("index \"" + name + "\" failed on " + key, e);
        }
        return null;
    }

    private void remove(String value, K key) {
        open(value).remove(key);
    }

    /** Finds the key the slow way, because the function does not say where it put the object. */
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
