/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.json.tree.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The counterpart of etcd: objects under keys, one sequence of revisions over all kinds, conditional writes and a
 * bounded history.
 *
 * <p>Thread-safe. Readers take a {@link Snapshot} and never block. A writer computes its object from a snapshot
 * without a lock. It then calls {@link #put}, which succeeds only if the stored object is still the one that the
 * writer has read. After a failed attempt the writer starts again from a new snapshot (upstream: {@code
 * GuaranteedUpdate}).
 */
public final class Storage {

    /*
     * Invariants:
     *   S1  Every write creates exactly one revision, one above the previous revision, regardless of the kind.
     *   S2  current is replaced, never modified; it contains exactly the writes up to its revision.
     *   S3  An event and the snapshot that contains it become visible together, under the log's lock. A thread that has
     *       received an event can read its object. A watcher may send a bookmark at revision r if it reads r and then
     *       finds no further event in its log: it has delivered every event up to r.
     *
     * Threads replace current and add buckets under writeLock, which also orders the appends; they are read without it.
     * The lock of an event log is taken inside writeLock, never the other way around. Code under writeLock updates maps
     * in O(log n) and stamps one revision; it neither encodes nor validates.
     */

    /** The most bytes of all events; beyond them the oldest expire. */
    private static final long MAX_HISTORY =
            Math.max(8 << 20, Runtime.getRuntime().maxMemory() / 12);

    /** Held from one snapshot to the next, and while a bucket is added. */
    private final ReentrantLock writeLock = new ReentrantLock();

    private final int logCapacity;
    private final long firstRevision;
    private final List<Bucket> buckets = new CopyOnWriteArrayList<>();
    private volatile Snapshot current;

    /** The bytes of the events of all kinds. */
    @GuardedBy("writeLock")
    private long history;

    /**
     * Creates an empty storage.
     *
     * @param logCapacity the number of events that are kept for each kind, at least 1
     * @param firstRevision the first revision, at least 1, because version 0 means "any" to clients
     */
    public Storage(int logCapacity, long firstRevision) {
        this.logCapacity = logCapacity;
        this.firstRevision = firstRevision;
        this.current = Snapshot.empty(firstRevision);
    }

    /** Returns the bucket of this name, which is created at the first call. */
    public Bucket bucket(String name) {
        writeLock.lock();
        try {
            for (Bucket bucket : buckets) {
                if (bucket.name().equals(name)) {
                    return bucket;
                }
            }
            EventLog log = new EventLog(logCapacity);
            // Events before the first revision belong to another storage and are unknown here.
            log.trim(firstRevision - 1);
            Bucket bucket = new Bucket(name, buckets.size(), log);
            buckets.add(bucket);
            return bucket;
        } finally {
            writeLock.unlock();
        }
    }

    /** Ends the watches of a bucket, because its resource is no longer served in the same way. */
    public void endWatches(Bucket bucket) {
        bucket.log().endWatches();
    }

    /**
     * Adds a callback that runs after every write to a bucket, on the writer's thread and outside of the lock of the
     * storage. The write returns after the callbacks.
     */
    public void onWrite(Bucket bucket, Runnable listener) {
        bucket.onWrite(listener);
    }

    /** Returns the current state. Never blocks. */
    public Snapshot snapshot() {
        return current;
    }

    /** Returns the revision of the latest write. */
    public long revision() {
        return current.revision();
    }

    /**
     * Returns the objects of a kind at a revision, which must not be above the current one.
     *
     * @throws ExpiredException if the state at the revision has been discarded
     */
    public PersistentSortedMap<StoredObject> stateAt(Bucket bucket, long revision) {
        return bucket.log().stateAt(revision);
    }

    /**
     * Writes an object if the stored object is still the one that the caller has read. Waits for the write lock,
     * which other writers hold for one map update.
     *
     * @param seen the object that the caller has read under this key; null for none
     * @param tree the object; this method sets its resource version
     * @param guard a second object; the write fails if it has changed since it was read; null for none
     * @return the stored object; null if the stored object or the guard has changed
     */
    public @Nullable StoredObject put(
            Bucket bucket, String key, @Nullable StoredObject seen, JsonObject tree, @Nullable Guard guard) {
        return put(bucket, key, seen, tree, guard, false);
    }

    /**
     * Creates an object; see {@link #put}.
     *
     * @param outdated whether upstream's storage would hold another form of the object
     */
    public @Nullable StoredObject create(
            Bucket bucket, String key, JsonObject tree, @Nullable Guard guard, boolean outdated) {
        return put(bucket, key, null, tree, guard, outdated);
    }

    private @Nullable StoredObject put(
            Bucket bucket,
            String key,
            @Nullable StoredObject seen,
            JsonObject tree,
            @Nullable Guard guard,
            boolean outdated) {
        StoredObject stored =
                lockedPut(bucket, key, seen, tree.withSharedParts(), guard, outdated, TreeWeight.of(tree));
        if (stored != null) {
            bucket.written();
        }
        return stored;
    }

    private @Nullable StoredObject lockedPut(
            Bucket bucket,
            String key,
            @Nullable StoredObject seen,
            JsonObject tree,
            @Nullable Guard guard,
            boolean outdated,
            long weight) {
        writeLock.lock();
        try {
            if (!holds(bucket, key, seen, guard)) {
                return null;
            }
            long revision = current.revision() + 1;
            StoredObject stored = StoredObject.of(key, revision, tree, outdated, weight);
            PersistentSortedMap<StoredObject> after = current.of(bucket).with(key, stored);
            publish(bucket, new StorageEvent(revision, stored, seen, false, after));
            return stored;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Removes an object if the stored object is still the one that the caller has read.
     *
     * @return the last state, with the revision of the deletion; null if the stored object has changed
     */
    public @Nullable StoredObject remove(Bucket bucket, StoredObject seen) {
        StoredObject last = lockedRemove(bucket, seen);
        if (last != null) {
            bucket.written();
        }
        return last;
    }

    private @Nullable StoredObject lockedRemove(Bucket bucket, StoredObject seen) {
        writeLock.lock();
        try {
            if (!holds(bucket, seen.key(), seen, null)) {
                return null;
            }
            long revision = current.revision() + 1;
            StoredObject last = seen.at(revision);
            PersistentSortedMap<StoredObject> after = current.of(bucket).without(seen.key());
            publish(bucket, new StorageEvent(revision, last, seen, true, after));
            return last;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Discards the history of all kinds up to the current revision. Lists and watches that start at an earlier
     * revision then expire.
     */
    public void compact() {
        writeLock.lock();
        try {
            for (Bucket bucket : buckets) {
                bucket.log().trim(current.revision());
            }
            history =
                    buckets.stream().mapToLong(bucket -> bucket.log().weight()).sum();
        } finally {
            writeLock.unlock();
        }
    }

    private boolean holds(Bucket bucket, String key, @Nullable StoredObject seen, @Nullable Guard guard) {
        return current.get(bucket, key) == seen
                && (guard == null || current.get(guard.bucket(), guard.seen().key()) == guard.seen());
    }

    @GuardedBy("writeLock")
    private void publish(Bucket bucket, StorageEvent event) {
        Snapshot next = current.with(event.revision(), bucket, event.after());
        EventLog log = bucket.log();
        long before = log.weight();
        log.append(event, () -> current = next);
        history += log.weight() - before;
        long dropped = 1;
        while (history > MAX_HISTORY && dropped > 0) {
            EventLog largest = largestHistory();
            dropped = largest.weight();
            largest.dropOldest();
            dropped -= largest.weight();
            history -= dropped;
        }
    }

    /** The kind with the most history loses its oldest event, so large objects of one kind do not cost others. */
    @GuardedBy("writeLock")
    private EventLog largestHistory() {
        return buckets.stream()
                .map(Bucket::log)
                .max(Comparator.comparingLong(EventLog::weight))
                .orElseThrow();
    }

    /**
     * A condition of a write: another object that must still be the one that the caller has read.
     *
     * @param bucket the kind of the object
     * @param seen the object
     */
    public record Guard(Bucket bucket, StoredObject seen) {}
}
