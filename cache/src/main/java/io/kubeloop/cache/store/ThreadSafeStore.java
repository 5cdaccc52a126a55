package io.kubeloop.cache.store;

import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.Indexer;
import io.kubeloop.cache.KeyException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The indexed store behind every informer (upstream: {@code cache.ThreadSafeStore} and the key function around it).
 *
 * <p>Thread-safe without locks. The whole content is one immutable {@link StoreState} behind one reference. A read
 * takes the reference and works on that version. So readers and writers never wait for each other, objects and indices
 * are always consistent, and a list is a snapshot. A write builds the next version, which shares most nodes with the
 * current one, and swaps the reference. If another thread has swapped it first, the write builds again.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public final class ThreadSafeStore<K extends Comparable<? super K>, T> implements Indexer<K, T> {

    /*
     * Writers: the informer's processing thread for objects, any thread for addIndexers. Index functions are user code.
     * They run while a version is built, outside every lock, and again if the swap fails.
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
    private final Function<? super T, @Nullable String> versionOf;
    private final UnaryOperator<T> transform;
    private volatile StoreState<K, T> state = StoreState.empty();

    /**
     * Makes an empty store without indices.
     *
     * @param keyOf returns an object's key; throws if it has none
     * @param versionOf returns an object's resource version, which becomes that of the store, even if it is empty; null
     *     leaves the version of the store unchanged
     */
    public ThreadSafeStore(Function<? super T, ? extends K> keyOf, Function<? super T, @Nullable String> versionOf) {
        this(keyOf, versionOf, UnaryOperator.identity());
    }

    /**
     * Makes an empty store that transforms objects before it stores them.
     *
     * @param keyOf returns the key of a given object; throws if it has none
     * @param versionOf returns the resource version of a stored object, as above
     * @param transform applied to every object that is added, updated or listed, but not to the objects of a
     *     {@linkplain #transact transaction}. Its exceptions leave the call, which has changed nothing
     */
    public ThreadSafeStore(
            Function<? super T, ? extends K> keyOf,
            Function<? super T, @Nullable String> versionOf,
            UnaryOperator<T> transform) {
        this.keyOf = keyOf;
        this.versionOf = versionOf;
        this.transform = transform;
    }

    @Override
    public void add(T object) {
        K key = keyOf(object);
        T kept = transform.apply(object);
        write(transaction -> put(transaction, key, kept));
    }

    private void put(StoreTransaction<K, T> transaction, K key, T object) {
        transaction.put(key, object);
        advanceResourceVersion(transaction, object);
    }

    private void remove(StoreTransaction<K, T> transaction, K key, T object) {
        transaction.remove(key);
        advanceResourceVersion(transaction, object);
    }

    private void advanceResourceVersion(StoreTransaction<K, T> transaction, T object) {
        String version = versionOf.apply(object);
        if (version != null) {
            transaction.resourceVersion(version);
        }
    }

    @Override
    public void update(T object) {
        add(object);
    }

    /** Removes the object. The store takes the object's resource version even if the key was absent. */
    @Override
    public void delete(T object) {
        K key = keyOf(object);
        write(transaction -> remove(transaction, key, object));
    }

    /**
     * Makes these changes in one step. The store takes the resource version of the last one.
     *
     * @throws StoreTransactionException if objects have no key; the other changes have been made, also in one step
     * @throws IndexException if an index function fails; the objects are stored, and only that index lacks some
     */
    public void transact(List<? extends StoreChange<? extends T>> changes) {
        List<K> keys = new ArrayList<>(changes.size());
        List<StoreChange<? extends T>> possible = new ArrayList<>(changes.size());
        List<Integer> indices = new ArrayList<>(changes.size());
        List<KeyException> failures = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            try {
                keys.add(keyOf(changes.get(i).object()));
                possible.add(changes.get(i));
                indices.add(i);
            } catch (KeyException e) {
                failures.add(e);
            }
        }
        if (!possible.isEmpty()) {
            write(transaction -> {
                for (int i = 0; i < keys.size(); i++) {
                    if (possible.get(i) instanceof StoreChange.Put<? extends T> put) {
                        put(transaction, keys.get(i), put.object());
                    } else {
                        remove(transaction, keys.get(i), possible.get(i).object());
                    }
                }
            });
        }
        if (!failures.isEmpty()) {
            throw new StoreTransactionException(changes.size(), indices, failures);
        }
    }

    /** Sets the store's version: the server has delivered everything up to it. */
    public void bookmark(String resourceVersion) {
        write(transaction -> transaction.resourceVersion(resourceVersion));
    }

    /**
     * Removes exactly these objects, but no object that another write stored under their keys since. The version stays.
     */
    void removeSame(Map<K, T> stale) {
        if (!stale.isEmpty()) {
            write(transaction -> stale.forEach((key, object) -> {
                if (transaction.get(key) == object) {
                    transaction.remove(key);
                }
            }));
        }
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
        List<T> kept = objects.stream().<T>map(transform).toList();
        StoreTransaction<K, T> transaction;
        do {
            transaction = StoreTransaction.rebuild(this, snapshot());
            for (int i = 0; i < keys.size(); i++) {
                transaction.put(keys.get(i), kept.get(i));
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
        List<String> values = valuesOf(now.index(indexName), object);
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
    public List<String> valuesOf(String indexName, T object) {
        return valuesOf(snapshot().index(indexName), object);
    }

    private static <T> List<String> valuesOf(StoreState.Index<?, T> index, T object) {
        try {
            return index.function().apply(object);
        } catch (RuntimeException e) {
            throw new IndexException("index \"" + index.name() + "\" failed: " + e.getMessage(), e);
        }
    }

    @Override
    public Set<String> indexNames() {
        return Set.copyOf(snapshot().names());
    }

    @Override
    public void addIndexers(Map<String, ? extends Function<? super T, ? extends List<String>>> indexers) {
        List<StoreState.Index<K, T>> added = StoreState.newIndices(indexers);
        PersistentMap<K, T> indexed = PersistentMap.empty();
        IndexException failure = null;
        StoreState<K, T> before;
        List<StoreState.Index<K, T>> indices;
        do {
            // Only what changed meanwhile is indexed again. Otherwise a store with frequent writes would never accept
            // an index.
            before = snapshot();
            before.requireFree(indexers.keySet());
            indices = new ArrayList<>(before.indices());
            for (int i = 0; i < added.size(); i++) {
                IndexBuilder<K, T> builder = new IndexBuilder<>(added.get(i));
                before.items().forEachChangeSince(indexed, builder::move);
                added.set(i, builder.build());
                failure = builder.failure() == null ? failure : builder.failure();
            }
            indexed = before.items();
            indices.addAll(added);
        } while (!swap(before, new StoreState<>(before.items(), indices, before.resourceVersion())));
        throwIfPresent(failure);
    }

    /** Returns the current content, which is immutable. */
    public StoreState<K, T> snapshot() {
        return state;
    }

    /** Returns the key of the object. */
    public K keyOf(T object) {
        return KeyException.keyOf(keyOf, object);
    }

    /** Publishes a version, unless the current content is no longer the version that it was built from. */
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
