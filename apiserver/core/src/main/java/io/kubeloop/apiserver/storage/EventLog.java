/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.apiserver.storage.SleepingWatchers.Sleeper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The most recent events of one kind, oldest first: the window of the watch cache (upstream: {@code
 * apiserver/pkg/storage/cacher/watch_cache.go}).
 *
 * <p>Watchers pull from the log, each from its own position. The log therefore is also the bounded queue of every
 * watcher. A watcher that falls behind the oldest event expires; writers and other watchers are not affected.
 */
final class EventLog {

    /*
     * Invariants:
     *   E1  Positions count appended events from 0: event p is ring[p % ring.length] for first <= p < end.
     *   E2  Revisions grow with positions; every event of the kind with a revision above trimmedThrough is in the log.
     *   E3  base is the state of the kind after the last event that is no longer in the log.
     *   E4  A sleeping watcher shows no event that was appended since it fell asleep, up to the one that woke it.
     *       Therefore its position does not matter, and it does not expire.
     *
     * The writer takes the lock for an append while it holds the storage's lock; watchers take it for a read. Under the
     * lock run only operations on the fields and short callbacks: publish, flags, the wake condition and the readers of
     * the triggers.
     */

    /** The maximum number of events that a watcher takes at once. */
    private static final int BATCH = 64;

    /** The most bytes of the events of a batch, unless it has only one: a watcher that is blocked holds them. */
    private static final long MOST_OF_BATCH = 256 << 10;

    /** The length of the ring of a kind without events, unless the capacity is less. */
    private static final int FIRST_LENGTH = 16;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final SleepingWatchers sleeping = new SleepingWatchers();

    /** The number of calls of {@link #endWatches}. Written under the lock, so no wake-up is lost. */
    private volatile int generation;

    /** The position at the last call of {@link #endWatches}. Written before the generation. */
    private volatile long endedAt;

    private final int capacity;

    @GuardedBy("lock")
    private @Nullable StorageEvent[] ring;

    @GuardedBy("lock")
    private long first;

    @GuardedBy("lock")
    private long end;

    @GuardedBy("lock")
    private long trimmedThrough;

    @GuardedBy("lock")
    private PersistentSortedMap<StoredObject> base = PersistentSortedMap.empty();

    @GuardedBy("lock")
    private long weight;

    /** The states with which watches have begun that have not delivered them yet. */
    @GuardedBy("lock")
    private final Set<InitialObjects> beginnings = new HashSet<>();

    EventLog(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("an event log holds at least 1 event, got " + capacity);
        }
        this.capacity = capacity;
        ring = new StorageEvent[Math.min(capacity, FIRST_LENGTH)];
    }

    /**
     * Appends an event. The storage calls this method in the order of revisions.
     *
     * @param publish makes the state after the event visible. It runs under the log's lock, for two reasons. A
     *     watcher must not deliver an event that a reader cannot read yet. A reader must not read a state whose
     *     event a watcher cannot find yet
     */
    void append(StorageEvent event, Runnable publish) {
        lock.lock();
        try {
            if (end - first == ring.length) {
                makeRoom();
            }
            ring[slot(end)] = event;
            end++;
            weight += event.object().weight();
            publish.run();
            sleeping.wake(event, end - 1);
        } finally {
            lock.unlock();
        }
    }

    /** Returns about how many bytes of memory the objects of the events take. */
    long weight() {
        lock.lock();
        try {
            return weight;
        } finally {
            lock.unlock();
        }
    }

    /** Discards the oldest event, unless it is the only one. */
    void dropOldest() {
        lock.lock();
        try {
            if (end - first > 1) {
                trimOldest();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Discards all events up to this revision, and makes older positions and revisions expire. */
    void trim(long revision) {
        lock.lock();
        try {
            while (first < end && at(first).revision() <= revision) {
                trimOldest();
            }
            trimmedThrough = Math.max(trimmedThrough, revision);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the position of the first event after a revision.
     *
     * @throws ExpiredException if events after the revision have been discarded
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
     * @throws ExpiredException if the state at the revision has been discarded
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

    /** Expires a state as soon as an event after it is discarded, until {@link #end}. */
    void begin(InitialObjects objects) {
        lock.lock();
        try {
            beginnings.add(objects);
            expireBeginnings();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a state. */
    void end(InitialObjects objects) {
        lock.lock();
        try {
            beginnings.remove(objects);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void expireBeginnings() {
        for (Iterator<InitialObjects> left = beginnings.iterator(); left.hasNext(); ) {
            InitialObjects objects = left.next();
            if (objects.position() < first) {
                objects.expire();
                left.remove();
            }
        }
    }

    /** Creates the handle with which a watcher waits. */
    Sleeper sleeper(@Nullable WatchTrigger trigger) {
        return new Sleeper(trigger, lock.newCondition());
    }

    /**
     * Events that were taken.
     *
     * @param next the position after them
     * @param events the events in order
     * @param weight about how many bytes of memory their objects take
     */
    record Taken(long next, List<StorageEvent> events, long weight) {}

    /**
     * Blocks until the log has an event at the position that the watcher may show, or until the wake condition holds.
     * There is no timeout.
     *
     * @param revision the last revision that the watcher has delivered, for the exception's message
     * @param sleeper the watcher
     * @param wake the condition that ends the wait without an event
     * @return the next events; none if the wake condition ended the wait
     * @throws ExpiredException if the event at the position has been discarded
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    Taken take(long position, long revision, Sleeper sleeper, WakeCondition wake) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (position < end || wake.isDue()) {
                return batch(position, revision);
            }
            sleeping.add(sleeper);
            try {
                while (!sleeper.hasEvent() && !wake.isDue()) {
                    sleeper.await();
                }
            } finally {
                sleeping.remove(sleeper);
                sleeper.markAwake();
            }
            return batch(sleeper.hasEvent() ? sleeper.position() : end, revision);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the next events without waiting.
     *
     * @throws ExpiredException if the event at the position has been discarded
     */
    Taken takeNow(long position, long revision) {
        lock.lock();
        try {
            return batch(position, revision);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Taken batch(long position, long revision) {
        if (position < first) {
            throw new ExpiredException(revision, trimmedThrough);
        }
        List<StorageEvent> batch = new ArrayList<>();
        long bytes = 0;
        for (long p = position; p < end && batch.size() < BATCH; p++) {
            long more = at(p).weight();
            if (!batch.isEmpty() && bytes + more > MOST_OF_BATCH) {
                break;
            }
            batch.add(at(p));
            bytes += more;
        }
        if (batch.size() > 1) {
            batch.replaceAll(StorageEvent::withoutState);
        }
        return new Taken(position + batch.size(), batch, bytes);
    }

    /** Changes the flags of a watcher under the log's lock and wakes it, so it checks its wake condition. */
    void updateAndWake(Sleeper sleeper, Runnable flags) {
        lock.lock();
        try {
            flags.run();
            sleeper.wake();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the watches that have begun, after the events that are in the log: the generation that they have read at
     * their start is over.
     */
    void endWatches() {
        lock.lock();
        try {
            endedAt = end;
            int next = generation + 1;
            generation = next;
            sleeping.wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of calls of {@link #endWatches}. */
    int generation() {
        return generation;
    }

    /** Returns the position before which ended watches still deliver events. */
    long endedAt() {
        return endedAt;
    }

    /** Returns whether a watcher must stop waiting. Evaluated under the log's lock. */
    @FunctionalInterface
    interface WakeCondition {
        boolean isDue();
    }

    @GuardedBy("lock")
    private void requireNotTrimmed(long revision) {
        if (revision < trimmedThrough) {
            throw new ExpiredException(revision, trimmedThrough);
        }
    }

    /** Binary search; E2 guarantees the order. */
    @GuardedBy("lock")
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

    /** Most kinds have few events: the ring grows with them, up to the capacity. */
    @GuardedBy("lock")
    private void makeRoom() {
        if (ring.length == capacity) {
            trimOldest();
            return;
        }
        @Nullable StorageEvent[] longer = new StorageEvent[Math.min(capacity, 2 * ring.length)];
        for (long position = first; position < end; position++) {
            longer[(int) (position % longer.length)] = at(position);
        }
        ring = longer;
    }

    @GuardedBy("lock")
    private void trimOldest() {
        StorageEvent oldest = at(first);
        trimmedThrough = oldest.revision();
        base = oldest.after();
        weight -= oldest.object().weight();
        ring[slot(first)] = null;
        first++;
        expireBeginnings();
    }

    @GuardedBy("lock")
    private StorageEvent at(long position) {
        StorageEvent event = ring[slot(position)];
        if (event == null) {
            throw new IllegalStateException("no event at " + position + " of [" + first + ", " + end + ")");
        }
        return event;
    }

    @GuardedBy("lock")
    private int slot(long position) {
        return (int) (position % ring.length);
    }
}
