package io.kubeloop.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The indexed store behind every informer (upstream: {@code cache.ThreadSafeStore} and the key function around it).
 *
 * <p>Thread-safe without locks: the whole content is one immutable {@link StoreState} in one reference. A read takes the
 * reference and works on what it got, so readers block nobody and are blocked by nobody, items and indices are never seen
 * out of step (ST-07), and a list is a snapshot by nature. A write builds the next version beside the present one, sharing
 * all but the path to what changes, and swaps the reference; if somebody else was faster it builds again.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public final class ThreadSafeStore<K extends Comparable<? super K>, T> implements Indexer<K, T> {

    /*
     * Writers: the informer's processing thread for objects, any thread for addIndexers. Index functions, which are user
     * code, run while a version is built: outside every lock, and again if the swap fails.
     */

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ThreadSafeStore.class, "state", StoreState.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Function<? super T, ? extends K> keyOf;
    private final Function<? super T, String> versionOf;
    private volatile StoreState<K, T> state = StoreState.empty();

    /**
     * Makes an empty store without indices.
     *
     * @param keyOf returns an object's key; throws if it has none
     * @param versionOf returns an object's resource version; empty if it has none
     */
    public ThreadSafeStore(Function<? super T, ? extends K> keyOf, Function<? super T, String> versionOf) {
        this.keyOf = keyOf;
        this.versionOf = versionOf;
    }

    @Override
    public void add(T object) {
        K key = keyOf(object);
        write(transaction -> {
            transaction.put(key, object);
            transaction.resourceVersion(versionOf.apply(object));
        });
    }

    @Override
    public void update(T object) {
        add(object);
    }

    /** Removes the object; the store's resource version follows it even if the key was absent (RV-03). */
    @Override
    public void delete(T object) {
        K key = keyOf(object);
        write(transaction -> {
            transaction.remove(key);
            transaction.resourceVersion(versionOf.apply(object));
        });
    }

    @Override
    public @Nullable T get(T object) {
        return getByKey(keyOf(object));
    }

    @Override
    public @Nullable T getByKey(K key) {
        return snapshot().items().get(key);
    }

    @Override
    public List<T> list() {
        return snapshot().items().values();
    }

    @Override
    public List<K> listKeys() {
        return snapshot().items().keys();
    }

    @Override
    public void replace(Collection<? extends T> objects, String resourceVersion) {
        List<K> keys = objects.stream().map(this::keyOf).toList();
        StoreTransaction<K, T> transaction;
        do {
            transaction = StoreTransaction.rebuild(this, snapshot());
            int i = 0;
            for (T object : objects) {
                transaction.put(keys.get(i++), object);
            }
            transaction.resourceVersion(resourceVersion);
        } while (!transaction.tryCommit());
        throwIfPresent(transaction.indexFailure());
    }

    @Override
    public int size() {
        return snapshot().items().size();
    }

    @Override
    public String resourceVersion() {
        return snapshot().resourceVersion();
    }

    @Override
    public List<T> index(String indexName, T object) {
        StoreState<K, T> now = snapshot();
        StoreState.Index<K, T> index = now.index(indexName);
        List<String> values;
        try {
            values = index.function().apply(object);
        } catch (RuntimeException e) {
            throw new IndexException("index \"" + indexName + "\" failed: " + e.getMessage(), e);
        }
        if (values.size() == 1) {
            return now.bucket(indexName, values.get(0)).values();
        }
        PersistentMap.Builder<K, T> union = PersistentMap.<K, T>empty().toBuilder();
        for (String value : values) {
            for (T found : now.bucket(indexName, value).values()) {
                union.put(keyOf(found), found);
            }
        }
        return union.build().values();
    }

    @Override
    public List<T> byIndex(String indexName, String value) {
        return snapshot().bucket(indexName, value).values();
    }

    @Override
    public List<K> indexKeys(String indexName, String value) {
        return snapshot().bucket(indexName, value).keys().stream().sorted().toList();
    }

    @Override
    public List<String> indexValues(String indexName) {
        StoreState.Index<K, T> index = snapshot().find(indexName);
        return index == null ? List.of() : index.buckets().keys();
    }

    @Override
    public Set<String> indexNames() {
        return Set.copyOf(snapshot().names());
    }

    @Override
    public void addIndexers(Map<String, ? extends Function<? super T, ? extends List<String>>> indexers) {
        StoreState<K, T> before;
        List<StoreState.Index<K, T>> indices;
        IndexException failure;
        do {
            before = snapshot();
            indices = new ArrayList<>(before.indices());
            failure = null;
            for (StoreState.Index<K, T> index : before.newIndices(indexers)) {
                IndexBuilder<K, T> builder = new IndexBuilder<>(index);
                before.items().forEach((key, object) -> builder.move(key, null, object));
                indices.add(builder.build());
                failure = builder.failure() == null ? failure : builder.failure();
            }
        } while (!swap(before, new StoreState<>(before.items(), indices, before.resourceVersion())));
        throwIfPresent(failure);
    }

    /** Returns the present content, which does not change. */
    StoreState<K, T> snapshot() {
        return state;
    }

    /** Returns the key of the object. */
    K keyOf(T object) {
        return KeyException.keyOf(keyOf, object);
    }

    /** Publishes a version, unless the content is no longer the one that it was built from. */
    boolean swap(StoreState<K, T> from, StoreState<K, T> to) {
        return STATE.compareAndSet(this, from, to);
    }

    private void write(Consumer<StoreTransaction<K, T>> changes) {
        StoreTransaction<K, T> transaction;
        do {
            transaction = StoreTransaction.change(this, snapshot());
            changes.accept(transaction);
        } while (!transaction.tryCommit());
        throwIfPresent(transaction.indexFailure());
    }

    private static void throwIfPresent(@Nullable IndexException failure) {
        if (failure != null) {
            throw failure;
        }
    }
}
