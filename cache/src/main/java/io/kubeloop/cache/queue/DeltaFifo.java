/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue that groups the waiting changes of each key and delivers them together, at the position of the first one
 * (upstream: {@code cache.DeltaFIFO}, in the form of 2026: it looks for deletions in queue and store, and the first
 * list counts distinct keys). It merges no updates: every change is delivered.
 *
 * <p>The order across keys is therefore not that of the watch. Producers never wait.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public final class DeltaFifo<K, T> extends BatchedQueue<K, T> {

    /*
     * Invariants:
     *   D1  queued holds the changes of each key, oldest first. Keys are in the order of their first change.
     *   D2  inProcess holds the keys that the consumer is working on, whose changes may or may not have reached the
     *       store. Upstream holds its lock meanwhile; here the lock is free. So newest() looks for the newest state of
     *       a key in queued, then in inProcess, then in the store.
     *   D3  Two adjacent deletions of a key become one, so the end of an object is delivered once.
     *   D4  The entries of the first list are its keys, deletions included. A batch stops at its end.
     *
     * knownObjects is read under the lock.
     */

    /** A batch with more changes than this is replaced by an empty one. */
    private static final int LARGE = 2 * MAX_BATCH;

    private final @Nullable KnownObjects<K, T> knownObjects;

    @GuardedBy("lock")
    private ChangesByKey<K, T> queued = new ChangesByKey<>();

    @GuardedBy("lock")
    private ChangesByKey<K, T> inProcess = new ChangesByKey<>();

    /** Consumer's thread only. */
    private List<Delta<K, T>> batch = new ArrayList<>();

    /**
     * Makes an empty queue.
     *
     * @param keyOf returns an object's key; throws if it has none
     * @param knownObjects the objects that the consumer has stored; null if it stores nothing, so only queued
     *     objects count
     */
    public DeltaFifo(Function<? super T, ? extends K> keyOf, @Nullable KnownObjects<K, T> knownObjects) {
        this(keyOf, knownObjects, MAX_BATCH, Lock::newCondition);
    }

    /** Makes an empty queue whose consumer waits on a condition of the scheduler. */
    public DeltaFifo(
            Function<? super T, ? extends K> keyOf, @Nullable KnownObjects<K, T> knownObjects, Scheduler scheduler) {
        this(keyOf, knownObjects, MAX_BATCH, scheduler::newCondition);
    }

    DeltaFifo(Function<? super T, ? extends K> keyOf, @Nullable KnownObjects<K, T> knownObjects, int maxBatch) {
        this(keyOf, knownObjects, maxBatch, Lock::newCondition);
    }

    private DeltaFifo(
            Function<? super T, ? extends K> keyOf,
            @Nullable KnownObjects<K, T> knownObjects,
            int maxBatch,
            Function<Lock, Condition> newCondition) {
        super(keyOf, maxBatch, newCondition);
        this.knownObjects = knownObjects;
    }

    @Override
    public void delete(T object) {
        // Unlike other changes, a deletion without a key does not count as the first change. The same is true upstream,
        // which computes the key earlier.
        change(Delta.of(DeltaType.DELETED, keyOf(object), object));
    }

    @Override
    void change(Delta<K, T> delta) {
        lock.lock();
        try {
            initialList.change();
            if (!delta.isDeletion() || mayExist(delta.key())) {
                queued.append(delta);
            }
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void replace(List<T> objects, String resourceVersion) {
        List<K> keys = new ArrayList<>(objects.size());
        for (T object : objects) {
            keys.add(keyOf(object));
        }
        Set<K> listed = new HashSet<>(keys);
        lock.lock();
        try {
            for (int i = 0; i < keys.size(); i++) {
                queued.append(Delta.of(DeltaType.REPLACED, keys.get(i), objects.get(i)));
            }
            deleteMissing(listed);
            // Everything queued now is in the list or is deleted by it. The entries in process are counted first, see
            // done().
            initialList.list(inProcess.size() + queued.size());
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Queues a tombstone for every object that may exist and is not listed. */
    @GuardedBy("lock")
    private void deleteMissing(Set<K> listed) {
        // Only the keys that are not listed are collected: usually none.
        Set<K> missing = new LinkedHashSet<>();
        Consumer<K> collect = key -> {
            if (!listed.contains(key)) {
                missing.add(key);
            }
        };
        queued.forEachKey(collect);
        if (knownObjects != null) {
            inProcess.forEachKey(collect);
            knownObjects.keys().forEach(collect);
        }
        for (K key : missing) {
            Delta<K, T> newest = newest(key);
            if (newest == null) {
                queued.append(Delta.tombstone(key, stored(key)));
            } else if (queued.contains(key) || !newest.isDeletion()) {
                queued.append(Delta.tombstone(key, newest.object()));
            }
        }
    }

    @Override
    public void resync() {
        if (knownObjects == null) {
            return;
        }
        lock.lock();
        try {
            for (K key : knownObjects.keys()) {
                if (newest(key) == null) {
                    T object = stored(key);
                    if (object != null) {
                        queued.append(Delta.of(DeltaType.SYNC, key, object));
                    }
                }
            }
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has no effect: this queue reorders keys, so it cannot tell when everything up to a version has been delivered.
     */
    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    @GuardedBy("lock")
    boolean hasNext() {
        return !queued.isEmpty() || initialList.isToAnnounce();
    }

    /** Moves the oldest keys to inProcess, and copies their changes. */
    @Override
    @GuardedBy("lock")
    @Nullable
    QueueEntry<K, T> take(int atMost) {
        int keys = Math.min(queued.size(), atMost);
        queued.copyOldest(keys, batch);
        if (keys == queued.size()) {
            ChangesByKey<K, T> free = inProcess;
            inProcess = queued;
            queued = free;
        } else {
            queued.moveOldest(keys, inProcess);
        }
        return null;
    }

    @Override
    void deliver(DeltaConsumer<K, T> consumer, @Nullable QueueEntry<K, T> alone, boolean isInInitialList) {
        if (!batch.isEmpty()) {
            consumer.deltas(batch, isInInitialList);
        }
    }

    @Override
    @GuardedBy("lock")
    int queued() {
        return queued.size();
    }

    @Override
    @GuardedBy("lock")
    int inProcess() {
        return inProcess.size();
    }

    @Override
    @GuardedBy("lock")
    void clearBatch() {
        int changes = batch.size();
        batch.clear();
        inProcess.clear();
        if (changes > LARGE) {
            batch = new ArrayList<>(); // frees the array of a burst
        }
    }

    /** Returns the newest change that may not have reached the store, or null. */
    @GuardedBy("lock")
    private @Nullable Delta<K, T> newest(K key) {
        Delta<K, T> newest = queued.newest(key);
        return newest == null && knownObjects != null ? inProcess.newest(key) : newest;
    }

    /** Returns whether a deletion of the key is news. */
    @GuardedBy("lock")
    private boolean mayExist(K key) {
        if (queued.contains(key)) {
            return true;
        }
        if (knownObjects == null) {
            return false;
        }
        Delta<K, T> newest = newest(key);
        if (newest != null) {
            return !newest.isDeletion();
        }
        try {
            return knownObjects.get(key) != null;
        } catch (RuntimeException e) {
            // The lookup failed, so the object may exist. A redundant deletion is harmless, a missing one is not.
            return true;
        }
    }

    /** Returns the stored object; null if it has disappeared or cannot be read. */
    private @Nullable T stored(K key) {
        try {
            return knownObjects == null ? null : knownObjects.get(key);
        } catch (RuntimeException e) {
            return null;
        }
    }
}
