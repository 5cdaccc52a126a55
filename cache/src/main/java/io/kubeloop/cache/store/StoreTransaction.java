package io.kubeloop.cache.store;

import io.kubeloop.cache.IndexException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a {@link ThreadSafeStore} that become visible together. Confined to one thread.
 *
 * <p>The index functions run while the transaction is built, before {@link #tryCommit()}. So a caller can commit under
 * a lock without running user code under it.
 */
public final class StoreTransaction<K extends Comparable<? super K>, T> {

    private final ThreadSafeStore<K, T> store;
    private final StoreState<K, T> base;
    private final PersistentMap.Builder<K, T> items;
    private final List<IndexBuilder<K, T>> indices;
    private String resourceVersion;

    private StoreTransaction(
            ThreadSafeStore<K, T> store,
            StoreState<K, T> base,
            PersistentMap.Builder<K, T> items,
            List<IndexBuilder<K, T>> indices) {
        this.store = store;
        this.base = base;
        this.items = items;
        this.indices = indices;
        this.resourceVersion = base.resourceVersion();
    }

    /** Begins with the content of this version. */
    public static <K extends Comparable<? super K>, T> StoreTransaction<K, T> change(
            ThreadSafeStore<K, T> store, StoreState<K, T> base) {
        List<IndexBuilder<K, T>> indices = new ArrayList<>(base.indices().size());
        for (StoreState.Index<K, T> index : base.indices()) {
            indices.add(new IndexBuilder<>(index));
        }
        return new StoreTransaction<>(store, base, base.items().toBuilder(), indices);
    }

    /** Begins without objects, with the same indices, empty. */
    public static <K extends Comparable<? super K>, T> StoreTransaction<K, T> rebuild(
            ThreadSafeStore<K, T> store, StoreState<K, T> base) {
        List<IndexBuilder<K, T>> indices = new ArrayList<>(base.indices().size());
        for (StoreState.Index<K, T> index : base.indices()) {
            indices.add(new IndexBuilder<>(index.emptied()));
        }
        return new StoreTransaction<>(store, base, PersistentMap.<K, T>empty().toBuilder(), indices);
    }

    /** Stores the object. Returns the previous object, or null. */
    @Nullable
    public T put(K key, T object) {
        T before = items.put(key, object);
        for (IndexBuilder<K, T> index : indices) {
            index.move(key, before, object);
        }
        return before;
    }

    /** Removes the object. Returns it, or null. */
    @Nullable
    public T remove(K key) {
        T before = items.remove(key);
        if (before != null) {
            for (IndexBuilder<K, T> index : indices) {
                index.move(key, before, null);
            }
        }
        return before;
    }

    @Nullable
    public T get(K key) {
        return items.get(key);
    }

    public void resourceVersion(String version) {
        resourceVersion = version;
    }

    /**
     * Publishes the changes, unless another thread has written since the transaction began; then returns false. Runs no
     * user code.
     */
    public boolean tryCommit() {
        List<StoreState.Index<K, T>> built = new ArrayList<>(indices.size());
        for (IndexBuilder<K, T> index : indices) {
            built.add(index.build());
        }
        return store.swap(base, new StoreState<>(items.build(), built, resourceVersion));
    }

    /** Returns the last failure of an index function, or null. */
    @Nullable
    public IndexException indexFailure() {
        IndexException failure = null;
        for (IndexBuilder<K, T> index : indices) {
            failure = index.failure() == null ? failure : index.failure();
        }
        return failure;
    }
}
