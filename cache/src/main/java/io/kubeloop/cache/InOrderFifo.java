package io.kubeloop.cache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands out every change, in the order in which it was queued: nothing is merged or dropped, also across keys (upstream:
 * {@code cache.RealFIFO} with atomic events, the default since 0.33; RF-01, RF-02).
 *
 * <p>A list is one entry: queueing it costs O(1), and who has the store finds out what it deletes.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public final class InOrderFifo<K, T> implements DeltaQueue<K, T> {

    /*
     * Invariants:
     *   F1  queued holds, in order, what was queued and not yet taken.
     *   F2  initial is the number of entries at the head of what is in process and queued, up to the first list;
     *       a batch never holds entries from both sides of that border: isInInitialList is true for all of it or none.
     *   F3  synced is set once, by whoever brings initial to 0 in a populated queue, after the consumer has returned
     *       (RF-14). If it throws instead, that list does not count: initial is 0, synced is not set, and the next list
     *       is the first.
     *   F4  Producers wait only while a batch is being processed and LIMIT entries are queued (RF-12): memory stays bounded
     *       if the consumer lags, and a queue that nobody pops takes everything.
     *
     * lock guards every field below it but synced, which is written under it and read without. It is never held while the
     * consumer or the key function runs. Producers: reflector thread, timer thread (resync). Consumer: processing thread.
     */

    private static final int MAX_BATCH = 1000;
    private static final int LIMIT = 2 * MAX_BATCH;

    private final Function<? super T, ? extends K> keyOf;
    private final int maxBatch;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition processed = lock.newCondition();
    private final ArrayDeque<QueueEntry<K, T>> queued = new ArrayDeque<>();
    private final List<Delta<K, T>> batch = new ArrayList<>();
    private boolean populated;
    private int initial;
    private int inProcess;
    private boolean consumerWaits;
    private boolean announced;
    private boolean closed;
    private volatile boolean synced;

    /** Makes an empty queue; the function returns an object's key and throws if it has none. */
    public InOrderFifo(Function<? super T, ? extends K> keyOf) {
        this(keyOf, MAX_BATCH);
    }

    InOrderFifo(Function<? super T, ? extends K> keyOf, int maxBatch) {
        this.keyOf = keyOf;
        this.maxBatch = maxBatch;
    }

    @Override
    public void add(T object) {
        put(Delta.of(DeltaType.ADDED, keyOfChange(object), object));
    }

    @Override
    public void update(T object) {
        put(Delta.of(DeltaType.UPDATED, keyOfChange(object), object));
    }

    @Override
    public void delete(T object) {
        put(Delta.of(DeltaType.DELETED, keyOfChange(object), object));
    }

    @Override
    public void deleteUnseen(K key, @Nullable T lastKnown) {
        put(Delta.tombstone(key, lastKnown));
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
            // Only the reader of a watch is held up; a resync comes from the timer, which others need.
            while (!(entry instanceof QueueEntry.SyncAll) && inProcess > 0 && queued.size() >= LIMIT && !closed) {
                processed.awaitUninterruptibly();
            }
            queued.add(entry);
            populate(entry);
            if (consumerWaits) {
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The first change or list populates the queue; only a list has to be processed before it counts as synced. */
    private void populate(QueueEntry<K, T> entry) {
        if (entry instanceof QueueEntry.ReplacedAll) {
            populated = true;
            if (!synced && initial == 0) {
                initial = inProcess + queued.size();
            }
        } else if (entry instanceof Delta) {
            populateByChange();
        }
    }

    private void populateByChange() {
        if (!populated) {
            populated = true;
            synced = true;
        }
    }

    @Override
    public boolean pop(DeltaConsumer<K, T> consumer) {
        QueueEntry<K, T> alone;
        boolean isInInitialList;
        boolean announce;
        lock.lock();
        try {
            while (queued.isEmpty() && !closed) {
                consumerWaits = true;
                arrived.awaitUninterruptibly();
            }
            consumerWaits = false;
            if (queued.isEmpty()) {
                return false;
            }
            announce = toAnnounce();
            isInInitialList = !synced;
            alone = takeBatch();
            inProcess = alone == null ? batch.size() : 1;
        } finally {
            lock.unlock();
        }
        boolean handled = false;
        try {
            if (announce) {
                announce(consumer);
            }
            if (alone == null) {
                consumer.deltas(batch, isInInitialList);
            } else if (alone instanceof QueueEntry.ReplacedAll<K, T> all) {
                consumer.replacedAll(all.objects(), all.resourceVersion(), isInInitialList);
            } else if (alone instanceof QueueEntry.Bookmark<K, T> bookmark) {
                consumer.bookmark(bookmark.resourceVersion());
            } else {
                consumer.syncAll();
            }
            handled = true;
        } finally {
            announce = done(handled);
        }
        if (announce) {
            announce(consumer);
        }
        return true;
    }

    /** Moves changes from the head to the batch and returns null, or takes and returns one entry that stands alone. */
    private @Nullable QueueEntry<K, T> takeBatch() {
        int most = initial > 0 ? Math.min(initial, maxBatch) : maxBatch;
        while (batch.size() < most && queued.peek() instanceof Delta<K, T> delta) {
            batch.add(delta);
            queued.remove();
        }
        return batch.isEmpty() ? queued.remove() : null;
    }

    /** Counts what was in process as processed, or as lost; returns whether that is to be announced. */
    private boolean done(boolean handled) {
        lock.lock();
        try {
            batch.clear();
            if (!handled) {
                initial = 0;
            } else if (initial > 0) {
                initial -= inProcess;
                synced = initial == 0;
            }
            inProcess = 0;
            processed.signalAll();
            return handled && toAnnounce();
        } finally {
            lock.unlock();
        }
    }

    private boolean toAnnounce() {
        return synced && !announced;
    }

    /** Tells the consumer; if it throws, it is told again by the next pop. */
    private void announce(DeltaConsumer<K, T> consumer) {
        consumer.synced();
        lock.lock();
        try {
            announced = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean hasSynced() {
        return synced;
    }

    @Override
    public int size() {
        lock.lock();
        try {
            return queued.size() + inProcess;
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
            processed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the key; a change counts as the first one even if it has none (RF-04). */
    private K keyOfChange(T object) {
        try {
            return keyOf(object);
        } catch (KeyException e) {
            lock.lock();
            try {
                populateByChange();
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    private K keyOf(T object) {
        return KeyException.keyOf(keyOf, object);
    }
}
