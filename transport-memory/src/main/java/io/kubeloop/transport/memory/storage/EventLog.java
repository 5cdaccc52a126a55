package io.kubeloop.transport.memory.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last events of one kind, oldest first: the watch cache's window (upstream: {@code
 * apiserver/pkg/storage/cacher/watch_cache.go}).
 *
 * <p>Watchers pull from it, each from a position of its own. It is therefore also every watcher's queue, and bounded: a
 * watcher that falls behind the oldest event has expired, which costs neither the writer nor any other watcher anything.
 */
final class EventLog {

    // E1  Positions count appended events from 0: event p is ring[p % capacity] for first <= p < end.
    // E2  Revisions grow with positions; every event of the kind with a revision above trimmedThrough is in the log.
    // E3  base is the state of the kind after the last event that is no longer in the log.
    //
    // Everything mutable is guarded by lock, which is taken by the writer (holding the storage's lock) for an append,
    // by watchers for a read, and never held while anything but these arrays is touched.

    /** How many events a watcher takes at once. */
    private static final int BATCH = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final @Nullable StorageEvent[] ring;
    private long first;
    private long end;
    private long trimmedThrough;
    private PersistentSortedMap<StoredObject> base = PersistentSortedMap.empty();

    EventLog(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("an event log holds at least 1 event, got " + capacity);
        }
        ring = new StorageEvent[capacity];
    }

    /**
     * Appends an event; called by the storage, in the order of revisions.
     *
     * @param publish makes the state after the event visible. Runs under the log's lock, so that no watcher shows an event
     *     that a reader cannot read yet, and no reader sees a state whose event a watcher cannot find yet
     */
    void append(StorageEvent event, Runnable publish) {
        lock.lock();
        try {
            if (end - first == ring.length) {
                trimOldest();
            }
            ring[slot(end)] = event;
            end++;
            publish.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all events up to this revision, and that there were any. */
    void trim(long revision) {
        lock.lock();
        try {
            while (first < end && at(first).revision() <= revision) {
                trimOldest();
            }
            trimmedThrough = Math.max(trimmedThrough, revision);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the position of the first event after a revision.
     *
     * @throws ExpiredException if events after it have been trimmed
     */
    long positionAfter(long revision) {
        lock.lock();
        try {
            requireNotTrimmed(revision);
            return firstAfter(revision);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the state of the kind at a revision.
     *
     * @throws ExpiredException if it can no longer be told
     */
    PersistentSortedMap<StoredObject> stateAt(long revision) {
        lock.lock();
        try {
            requireNotTrimmed(revision);
            long next = firstAfter(revision);
            return next == first ? base : at(next - 1).after();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until there is an event at the position, or the watcher has been called.
     *
     * @param revision what the watcher has seen, for the exception's message
     * @return the next events; empty if the watcher has been called
     * @throws ExpiredException if the position has been trimmed
     */
    List<StorageEvent> take(long position, long revision, WakeCondition wake) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (position == end && !wake.isDue()) {
                changed.await();
            }
            return batch(position, revision);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the next events without waiting for any.
     *
     * @throws ExpiredException if the position has been trimmed
     */
    List<StorageEvent> poll(long position) {
        lock.lock();
        try {
            return batch(position, 0);
        } finally {
            lock.unlock();
        }
    }

    private List<StorageEvent> batch(long position, long revision) {
        if (position < first) {
            throw new ExpiredException(revision, trimmedThrough);
        }
        List<StorageEvent> batch = new ArrayList<>();
        for (long p = position; p < end && batch.size() < BATCH; p++) {
            batch.add(at(p));
        }
        return batch;
    }

    /** Runs a change of some watcher's flags and wakes the watchers, so that the one concerned looks at its flags. */
    void updateAndSignal(Runnable flags) {
        lock.lock();
        try {
            flags.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Says whether somebody wants a watcher to stop waiting; asked under the log's lock. */
    @FunctionalInterface
    interface WakeCondition {
        boolean isDue();
    }

    private void requireNotTrimmed(long revision) {
        if (revision < trimmedThrough) {
            throw new ExpiredException(revision, trimmedThrough);
        }
    }

    /** Binary search over E2. */
    private long firstAfter(long revision) {
        long low = first;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (at(middle).revision() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void trimOldest() {
        StorageEvent oldest = at(first);
        trimmedThrough = oldest.revision();
        base = oldest.after();
        ring[slot(first)] = null;
        first++;
    }

    private StorageEvent at(long position) {
        StorageEvent event = ring[slot(position)];
        if (event == null) {
            throw new IllegalStateException("no event at " + position + " of [" + first + ", " + end + ")");
        }
        return event;
    }

    private int slot(long position) {
        return (int) (position % ring.length);
    }
}
