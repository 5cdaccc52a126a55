/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue that delivers every change in the order in which it was queued, also across keys. It merges and drops nothing
 * (upstream: {@code cache.RealFIFO} with atomic events, the default since 0.33).
 *
 * <p>A list is one entry, which is queued in O(1). The consumer compares it with the store to find the deleted objects.
 * A batch holds at most 1,000 changes. It may hold several changes of one key; upstream ends a batch before a key
 * repeats.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public final class RealFifo<K, T> extends BatchedQueue<K, T> {

    /*
     * Invariants:
     *   F1  queued holds, in order, the entries that were queued and not yet taken.
     *   F2  A batch never holds entries from both sides of the end of the first list, so isInInitialList is true for
     *       all of it or for none.
     *   F3  A producer waits only while a batch is being processed and LIMIT entries are queued. So memory is bounded
     *       while the consumer lags, and a queue without a consumer accepts every entry. Exceptions: a resync, and
     *       additions by the consumer itself, which would wait for itself.
     */

    private static final int LIMIT = 2 * MAX_BATCH;

    private final Condition processed = lock.newCondition();

    @GuardedBy("lock")
    private ArrayDeque<QueueEntry<K, T>> queued = new ArrayDeque<>();

    /** Consumer's thread only. */
    private final List<Delta<K, T>> batch = new ArrayList<>();

    @GuardedBy("lock")
    private boolean grown;

    @GuardedBy("lock")
    private int inProcess;

    @GuardedBy("lock")
    private @Nullable Thread consumerThread;

    /** Makes an empty queue. The function returns an object's key and throws if it has none. */
    public RealFifo(Function<? super T, ? extends K> keyOf) {
        this(keyOf, MAX_BATCH, Lock::newCondition);
    }

    /** Makes an empty queue whose consumer waits on a condition of the scheduler. */
    public RealFifo(Function<? super T, ? extends K> keyOf, Scheduler scheduler) {
        this(keyOf, MAX_BATCH, scheduler::newCondition);
    }

    RealFifo(Function<? super T, ? extends K> keyOf, int maxBatch) {
        this(keyOf, maxBatch, Lock::newCondition);
    }

    private RealFifo(Function<? super T, ? extends K> keyOf, int maxBatch, Function<Lock, Condition> newCondition) {
        super(keyOf, maxBatch, newCondition);
    }

    @Override
    void change(Delta<K, T> delta) {
        put(delta);
    }

    @Override
    public void delete(T object) {
        put(Delta.of(DeltaType.DELETED, keyOfChange(object), object));
    }

    @Override
    public void replace(List<T> objects, String resourceVersion) {
        objects.forEach(this::keyOf);
        put(new QueueEntry.ReplacedAll<>(objects, resourceVersion));
    }

    @Override
    public void resync() {
        put(new QueueEntry.SyncAll<>());
    }

    @Override
    public void bookmark(String resourceVersion) {
        put(new QueueEntry.Bookmark<>(resourceVersion));
    }

    private void put(QueueEntry<K, T> entry) {
        lock.lock();
        try {
            while (queued.size() >= LIMIT && mustWait(entry)) {
                processed.awaitUninterruptibly();
            }
            queued.add(entry);
            grown |= queued.size() > LIMIT;
            if (entry instanceof QueueEntry.ReplacedAll) {
                initialList.list(inProcess + queued.size());
            } else if (entry instanceof Delta) {
                initialList.change();
            }
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether this producer must wait while the queue is full. A resync never waits: it comes from the timer
     * thread, which other tasks need. The consumer never waits: no other thread could make room for it.
     */
    @GuardedBy("lock")
    private boolean mustWait(QueueEntry<K, T> entry) {
        return inProcess > 0
                && !closed
                && !(entry instanceof QueueEntry.SyncAll)
                && consumerThread != Thread.currentThread();
    }

    @Override
    @GuardedBy("lock")
    boolean hasNext() {
        return !queued.isEmpty();
    }

    @Override
    @GuardedBy("lock")
    @Nullable
    QueueEntry<K, T> take(int atMost) {
        while (batch.size() < atMost && queued.peek() instanceof Delta<K, T> delta) {
            batch.add(delta);
            queued.remove();
        }
        consumerThread = Thread.currentThread();
        inProcess = Math.max(1, batch.size());
        return batch.isEmpty() ? queued.remove() : null;
    }

    @Override
    void deliver(DeltaConsumer<K, T> consumer, @Nullable QueueEntry<K, T> alone, boolean isInInitialList) {
        if (alone == null) {
            consumer.deltas(batch, isInInitialList);
        } else if (alone instanceof QueueEntry.ReplacedAll<K, T> all) {
            consumer.replacedAll(all.objects(), all.resourceVersion(), isInInitialList);
        } else if (alone instanceof QueueEntry.Bookmark<K, T> bookmark) {
            consumer.bookmark(bookmark.resourceVersion());
        } else {
            consumer.syncAll();
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
        return inProcess;
    }

    @Override
    @GuardedBy("lock")
    void clearBatch() {
        batch.clear();
        inProcess = 0;
        consumerThread = null;
        processed.signalAll();
        if (grown && queued.size() <= MAX_BATCH) {
            queued = new ArrayDeque<>(queued); // frees the array of a burst when few entries of the burst are left
            grown = false;
        }
    }

    @Override
    public void close() {
        super.close();
        lock.lock();
        try {
            processed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
