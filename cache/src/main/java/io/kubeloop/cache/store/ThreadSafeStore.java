/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.Indexer;
import io.kubeloop.cache.KeyException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The indexed store behind every informer (upstream: {@code cache.ThreadSafeStore} and the key function around it).
 *
 * <p>Thread-safe. A read by key never waits. A read of several objects returns a snapshot: it runs without a lock, is
 * repeated if a write overlapped it, and takes the lock after a few attempts. No user code runs under the lock, so a
 * write holds it for a short time only. Objects and indices always agree.
 *
 * @param <K> the type of the keys; their {@code equals} and {@code hashCode} run under the lock
 * @param <T> the type of the objects
 */
public final class ThreadSafeStore<K extends Comparable<? super K>, T> implements Indexer<K, T> {

    /*
     * Invariants:
     *   T1  Commits have consecutive numbers. The content after commit n holds the changes of exactly the first n.
     *   T2  A transaction commits only if there was no commit since it began, so what it read is still true.
     *   T3  The result of a read of several objects, or of the resource version, is the content between two commits. A
     *       read by key returns what a commit has written so far. So a caller that found an object finds its version,
     *       and everything before it, in every later read.
     *
     * Commits hold the lock; reads use its optimistic mode, so Error Prone cannot check the fields that it guards.
     * Writers: the informer's processing thread for objects, any thread for addIndexers. Index functions are user code.
     * They run while a transaction is built, outside every lock, and again if its commit is refused.
     */

    /** The number of overlapped attempts after which a read takes the lock, because each attempt costs O(n). */
    private static final int ATTEMPTS = 3;

    /** The number of objects that enter a new index in one commit. */
    private static final int INDEXED_AT_ONCE = 64;

    private final Function<? super T, ? extends K> keyOf;
    private final Function<? super T, @Nullable String> versionOf;

    /** Held by commits; reads of several objects use its optimistic mode. */
    private final StampedLock lock = new StampedLock();

    private volatile StoreContent<K, T> content = StoreContent.empty();
    private long commits;
    private String resourceVersion = "";

    /**
     * Makes an empty store without indices.
     *
     * @param keyOf returns an object's key; throws if it has none
     * @param versionOf returns an object's resource version, which becomes that of the store, even if it is empty; null
     *     leaves the version of the store unchanged
     */
    public ThreadSafeStore(Function<? super T, ? extends K> keyOf, Function<? super T, @Nullable String> versionOf) {
        this.keyOf = keyOf;
        this.versionOf = versionOf;
    }

    @Override
    public void add(T object) {
        K key = keyOf(object);
        write(transaction -> {
            transaction.put(key, object);
            advanceResourceVersion(transaction, object);
        });
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
        write(transaction -> {
            transaction.remove(key);
            advanceResourceVersion(transaction, object);
        });
    }

    /** Sets the version of the store, up to which the server has delivered all changes. */
    public void bookmark(String resourceVersion) {
        write(transaction -> transaction.resourceVersion(resourceVersion));
    }

    @Override
    public @Nullable T get(T object) {
        return getByKey(keyOf(object));
    }

    @Override
    public @Nullable T getByKey(K key) {
        return content.items().get(key);
    }

    @Override
    public List<T> list() {
        return read(now -> now.items().values());
    }

    @Override
    public List<K> listKeys() {
        return read(now -> now.items().keys());
    }

    @Override
    public void replace(Collection<? extends T> objects, String resourceVersion) {
        List<K> keys = objects.stream().map(this::keyOf).toList();
        StoreTransaction<K, T> transaction;
        do {
            transaction = rebuild();
            Iterator<K> key = keys.iterator();
            for (T object : objects) {
                transaction.put(key.next(), object);
            }
            transaction.resourceVersion(resourceVersion);
        } while (!tryCommit(transaction));
        throwIfPresent(transaction.indexFailure());
    }

    @Override
    public int size() {
        return read(now -> now.items().size());
    }

    @Override
    public String resourceVersion() {
        return read(now -> resourceVersion);
    }

    @Override
    public List<T> index(String indexName, T object) {
        List<String> values = valuesOf(indexName, object);
        if (values.size() == 1) {
            return byIndex(indexName, values.get(0));
        }
        return read(now -> {
            Map<K, T> union = new HashMap<>();
            for (String value : values) {
                bucket(now, indexName, value).forEach(union::put);
            }
            return List.copyOf(union.values());
        });
    }

    @Override
    public List<T> byIndex(String indexName, String value) {
        return read(now -> bucket(now, indexName, value).values());
    }

    @Override
    public List<K> indexKeys(String indexName, String value) {
        return read(now -> bucket(now, indexName, value).keys()).stream()
                .sorted()
                .toList();
    }

    private static <K, T> FlatTable<K, T> bucket(StoreContent<K, T> now, String indexName, String value) {
        FlatTable<K, T> bucket = now.index(indexName).buckets().get(value);
        return bucket == null ? new FlatTable<>() : bucket;
    }

    @Override
    public List<String> indexValues(String indexName) {
        StoreContent.Index<K, T> index = content.find(indexName);
        return index == null
                ? List.of()
                : read(now -> now.index(indexName).buckets().keys());
    }

    @Override
    public List<String> valuesOf(String indexName, T object) {
        StoreContent.Index<K, T> index = content.index(indexName);
        try {
            return index.function().apply(object);
        } catch (RuntimeException e) {
            throw new IndexException("index \"" + indexName + "\" failed: " + e.getMessage(), e);
        }
    }

    @Override
    public Set<String> indexNames() {
        return Set.copyOf(content.names());
    }

    @Override
    public void addIndexers(Map<String, ? extends Function<? super T, ? extends List<String>>> indexers) {
        reserveNames(indexers);
        IndexException failure = null;
        boolean filled = false;
        try {
            // From here on, writers maintain the new indices. Objects that were stored before enter in small commits.
            // So an index can be added to a store with frequent writes, and no write is refused for long.
            List<T> present = list();
            for (int from = 0; from < present.size(); from += INDEXED_AT_ONCE) {
                List<T> some = present.subList(from, Math.min(present.size(), from + INDEXED_AT_ONCE));
                IndexException failed = commit(transaction -> some.forEach(object -> {
                    K key = keyOf(object);
                    if (transaction.stored(key) == object) { // otherwise a later write has indexed its object
                        transaction.fillNewIndices(key, object);
                    }
                }));
                failure = failed == null ? failure : failed;
            }
            filled = true;
        } finally {
            completeOrDrop(indexers.keySet(), filled);
        }
        throwIfPresent(failure);
    }

    /** Begins to maintain the indices, which readers do not see yet. Throws if one of the names is taken. */
    private void reserveNames(Map<String, ? extends Function<? super T, ? extends List<String>>> indexers) {
        List<StoreContent.Index<K, T>> indices = new ArrayList<>();
        long stamp = lock.writeLock();
        try {
            for (StoreContent.Index<K, T> index : content.indices()) {
                if (indexers.containsKey(index.name())) {
                    throw new IllegalArgumentException(
                            "cannot add indices " + indexers.keySet() + ": \"" + index.name() + "\" is taken");
                }
                indices.add(index);
            }
            indexers.forEach((name, function) ->
                    indices.add(new StoreContent.Index<>(name, function, new FlatTable<>(), false)));
            content = new StoreContent<>(content.items(), List.copyOf(indices));
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Makes the new indices visible to readers in one step, or drops them. */
    private void completeOrDrop(Set<String> names, boolean complete) {
        long stamp = lock.writeLock();
        try {
            content = new StoreContent<>(
                    content.items(),
                    content.indices().stream()
                            .filter(index -> complete || !names.contains(index.name()))
                            .map(index -> names.contains(index.name()) ? index.completed() : index)
                            .toList());
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Returns all objects, with the number of the last commit. O(n); copies. */
    public StoreSnapshot<T> snapshot() {
        return read(now -> new StoreSnapshot<>(now.items().values(), commits));
    }

    /** Returns the key of the object. */
    public K keyOf(T object) {
        return KeyException.keyOf(keyOf, object);
    }

    /** Begins a transaction with the present content. */
    public StoreTransaction<K, T> change() {
        return read(now -> new StoreTransaction<>(now, commits, null));
    }

    /** Begins a transaction without objects, with the same indices, empty. */
    public StoreTransaction<K, T> rebuild() {
        return read(now -> new StoreTransaction<>(now, commits, now.emptied()));
    }

    /**
     * Publishes the changes of a transaction, unless another thread has written since it began. Runs no user code.
     *
     * @return false, without any effect, if another thread has written
     */
    public boolean tryCommit(StoreTransaction<K, T> transaction) {
        long stamp = lock.writeLock();
        try {
            if (!transaction.isCurrent(content, commits)) {
                return false;
            }
            content = transaction.apply();
            String version = transaction.resourceVersion();
            resourceVersion = version == null ? resourceVersion : version;
            commits++;
            return true;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Commits these changes. Returns the last failure of an index function, or null. */
    private @Nullable IndexException commit(Consumer<StoreTransaction<K, T>> changes) {
        StoreTransaction<K, T> transaction;
        do {
            transaction = change();
            changes.accept(transaction);
        } while (!tryCommit(transaction));
        return transaction.indexFailure();
    }

    private void write(Consumer<StoreTransaction<K, T>> changes) {
        throwIfPresent(commit(changes));
    }

    /** Returns the result of a read of the content between two commits (T3). */
    private <R> R read(Function<StoreContent<K, T>, R> reading) {
        for (int i = 0; i < ATTEMPTS; i++) {
            long stamp = lock.tryOptimisticRead();
            if (stamp == 0) {
                break; // a commit is under way, and its end is near
            }
            R result = reading.apply(content);
            if (lock.validate(stamp)) {
                return result;
            }
        }
        long stamp = lock.readLock();
        try {
            return reading.apply(content);
        } finally {
            lock.unlockRead(stamp);
        }
    }

    private static void throwIfPresent(@Nullable IndexException failure) {
        if (failure != null) {
            throw failure;
        }
    }
}
