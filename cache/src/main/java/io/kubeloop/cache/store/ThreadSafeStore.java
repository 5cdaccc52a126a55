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
    private final Function<? super T, @Nullable String> versionOf;
    private final UnaryOperator<T> transform;
    private volatile StoreState<K, T> state = StoreState.empty();

    /**
     * Makes an empty store without indices.
     *
     * @param keyOf returns an object's key; throws if it has none
     * @param versionOf returns an object's resource version; empty if it is empty, null if the object has none at all,
     *     which leaves that of the store as it is (RV-02)
     */
    public ThreadSafeStore(Function<? super T, ? extends K> keyOf, Function<? super T, @Nullable String> versionOf) {
        this(keyOf, versionOf, UnaryOperator.identity());
    }

    /**
     * Makes an empty store that keeps something else than it is given (ST-08).
     *
     * @param keyOf returns an object's key; throws if it has none. Sees the object as it was given
     * @param versionOf returns a kept object's resource version, as above
     * @param transform what is kept, done to every object that is added, updated or listed, but not to those of a
     *     {@linkplain #transact transaction}; what it throws comes out of the call, which has changed nothing
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

    /** Removes the object; the store's resource version follows it even if the key was absent (RV-03). */
    @Override
    public void delete(T object) {
        K key = keyOf(object);
        write(transaction -> remove(transaction, key, object));
    }

    /**
     * Does these changes in one step that no reader sees in parts; the resource version is that of the last one (ST-09).
     *
     * @throws StoreTransactionException if objects have no key; the other changes have been made, in one step too
     * @throws IndexException if an index function failed; the objects are stored, and missing from that index
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

    /** Remembers that the server has told everything up to this version (RV-01). */
    public void bookmark(String resourceVersion) {
        write(transaction -> transaction.resourceVersion(resourceVersion));
    }

    /** Removes these very objects, and leaves alone what was stored under their keys since; the version stays. */
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
            // Only what was written meanwhile is indexed anew: else a store that is written often would not let it in.
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

    /** Returns the present content, which does not change. */
    public StoreState<K, T> snapshot() {
        return state;
    }

    /** Returns the key of the object. */
    public K keyOf(T object) {
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
