/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.cache.KeyException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What both delta queues do: they give each change its key, wait, hand a batch to the consumer without the lock, and
 * announce the end of the first list.
 *
 * <p>The lock is never held while the consumer or the key function runs. Producers: reflector thread, and timer thread
 * (resync). Consumer: processing thread.
 */
abstract sealed class BatchedQueue<K, T> implements DeltaQueue<K, T> permits DeltaFifo, RealFifo {

    /** The maximum number of changes, or of keys, in a batch. */
    static final int MAX_BATCH = 1000;

    /** Guards the entries that wait and those in process, and whether the queue is closed. */
    final ReentrantLock lock = new ReentrantLock();

    final Condition arrived;
    final InitialListProgress initialList = new InitialListProgress();

    @GuardedBy("lock")
    boolean closed;

    private final Function<? super T, ? extends K> keyOf;
    private final int maxBatch;

    BatchedQueue(Function<? super T, ? extends K> keyOf, int maxBatch, Function<Lock, Condition> newCondition) {
        this.keyOf = keyOf;
        this.maxBatch = maxBatch;
        arrived = newCondition.apply(lock);
    }

    /** Queues one change. */
    abstract void change(Delta<K, T> delta);

    /** Returns whether pop has something to do. */
    @GuardedBy("lock")
    abstract boolean hasNext();

    /** Moves the next entries to the batch and returns null, or removes and returns one that comes alone. */
    @GuardedBy("lock")
    abstract @Nullable QueueEntry<K, T> take(int atMost);

    /** Hands the batch to the consumer, or the entry that comes alone, without the lock. */
    abstract void deliver(DeltaConsumer<K, T> consumer, @Nullable QueueEntry<K, T> alone, boolean isInInitialList);

    /** Returns the number of entries that were queued and not taken. */
    @GuardedBy("lock")
    abstract int queued();

    /** Returns the number of entries in the batch. */
    @GuardedBy("lock")
    abstract int inProcess();

    /** Empties the batch. */
    @GuardedBy("lock")
    abstract void clearBatch();

    @Override
    public final void add(T object) {
        change(Delta.of(DeltaType.ADDED, keyOfChange(object), object));
    }

    @Override
    public final void update(T object) {
        change(Delta.of(DeltaType.UPDATED, keyOfChange(object), object));
    }

    @Override
    public final void deleteUnseen(K key, @Nullable T lastKnown) {
        change(Delta.tombstone(key, lastKnown));
    }

    @Override
    public final boolean pop(DeltaConsumer<K, T> consumer) {
        QueueEntry<K, T> alone;
        boolean isInInitialList;
        boolean announce;
        lock.lock();
        try {
            while (!hasNext()) {
                if (closed) {
                    return false;
                }
                arrived.awaitUninterruptibly();
            }
            announce = initialList.isToAnnounce();
            isInInitialList = !initialList.hasSynced();
            alone = take(initialList.atMost(maxBatch));
        } finally {
            lock.unlock();
        }
        boolean handled = false;
        try {
            if (announce) {
                initialList.announce(consumer);
            }
            deliver(consumer, alone, isInInitialList);
            handled = true;
        } finally {
            announce = done(handled);
        }
        if (announce) {
            initialList.announce(consumer);
        }
        return true;
    }

    /**
     * Counts the entries in process as processed, or as lost. Returns whether the end of the first list is to be
     * announced.
     */
    private boolean done(boolean handled) {
        lock.lock();
        try {
            initialList.done(inProcess(), handled);
            clearBatch();
            return handled && initialList.isToAnnounce();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final boolean hasSynced() {
        return initialList.hasSynced();
    }

    @Override
    public final int size() {
        lock.lock();
        try {
            return queued() + inProcess();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the key. A change counts as the first change even if it has no key. */
    final K keyOfChange(T object) {
        try {
            return keyOf(object);
        } catch (KeyException e) {
            lock.lock();
            try {
                initialList.change();
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    final K keyOf(T object) {
        return KeyException.keyOf(keyOf, object);
    }
}
