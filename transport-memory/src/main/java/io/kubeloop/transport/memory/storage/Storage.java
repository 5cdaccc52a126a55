package io.kubeloop.transport.memory.storage;

import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What etcd is to an API server: objects under keys, one clock of revisions over all kinds, writes that happen only if
 * nobody was faster, and a bounded history.
 *
 * <p>Thread-safe. Readers take a {@link Snapshot} and never wait. Writers compute what they want to write from a snapshot
 * without any lock, and then {@link #put} it on the condition that the object is still the one they saw; on refusal they
 * start over (upstream: {@code GuaranteedUpdate}).
 */
public final class Storage {

    // S1  Every write makes exactly one revision, one above the one before it, whatever its kind.
    // S2  current is replaced, never changed; it contains exactly the writes up to its revision.
    // S3  An event and the snapshot that contains it become visible together, under the log's lock. Whoever has seen
    //     an event can read its object; and a watcher that reads revision r first and then finds nothing left in its
    //     log has seen everything up to r, so that r may go into a bookmark.
    //
    // writeLock guards the replacement of current and orders appends; an event log's lock is taken inside of it,
    // never the other way around. Under it run map updates of O(log n) and the stamping of one revision; no encoding,
    // no validation.

    private final ReentrantLock writeLock = new ReentrantLock();
    private final int logCapacity;
    private final List<Bucket> buckets = new ArrayList<>();
    private volatile Snapshot current;
    private volatile Runnable writeListener = () -> {};

    /**
     * Makes an empty storage.
     *
     * @param logCapacity how many events are kept for each kind
     * @param firstRevision the revision to begin with, at least 1: version 0 means "any" to clients
     */
    public Storage(int logCapacity, long firstRevision) {
        this.logCapacity = logCapacity;
        this.current = new Snapshot(firstRevision, List.of());
    }

    /** Makes the place for one more kind. To be called while nothing is stored. */
    public Bucket bucket(String name) {
        writeLock.lock();
        try {
            EventLog log = new EventLog(logCapacity);
            // What came before the first revision is of another storage, and unknown.
            log.trim(current.revision() - 1);
            Bucket bucket = new Bucket(name, buckets.size(), log);
            buckets.add(bucket);
            List<PersistentSortedMap<StoredObject>> contents = new ArrayList<>(current.contents());
            contents.add(PersistentSortedMap.empty());
            current = new Snapshot(current.revision(), List.copyOf(contents));
            return bucket;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Sets what is run after every write, on the writer's thread and outside of the lock; it must not block. There is one:
     * setting another replaces it.
     */
    public void onWrite(Runnable listener) {
        writeListener = listener;
    }

    /** Returns the present state. Never blocks. */
    public Snapshot snapshot() {
        return current;
    }

    /** Returns the revision of the latest write. */
    public long revision() {
        return current.revision();
    }

    /**
     * Returns the objects of a kind as they were at a revision that is not in the future.
     *
     * @throws ExpiredException if that has been forgotten
     */
    public PersistentSortedMap<StoredObject> stateAt(Bucket bucket, long revision) {
        return bucket.log().stateAt(revision);
    }

    /**
     * Writes an object if it is still the one that the caller has seen.
     *
     * @param seen what the caller has seen under this key; null if nothing
     * @param tree the object; its resource version is set here
     * @param guard something else that must not have changed; null for nothing
     * @return the object as stored, or null if the condition does not hold (any more)
     */
    public @Nullable StoredObject put(
            Bucket bucket, String key, @Nullable StoredObject seen, JsonObject tree, @Nullable Guard guard) {
        StoredObject stored = lockedPut(bucket, key, seen, tree, guard);
        if (stored != null) {
            writeListener.run();
        }
        return stored;
    }

    private @Nullable StoredObject lockedPut(
            Bucket bucket, String key, @Nullable StoredObject seen, JsonObject tree, @Nullable Guard guard) {
        writeLock.lock();
        try {
            if (!holds(bucket, key, seen, guard)) {
                return null;
            }
            long revision = current.revision() + 1;
            StoredObject stored = StoredObject.of(key, revision, tree);
            PersistentSortedMap<StoredObject> after = current.of(bucket).with(key, stored);
            publish(bucket, new StorageEvent(revision, stored, seen, false, after));
            return stored;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Removes an object if it is still the one that the caller has seen.
     *
     * @return the last state, under the revision of the deletion; null if the condition does not hold (any more)
     */
    public @Nullable StoredObject remove(Bucket bucket, StoredObject seen) {
        StoredObject last = lockedRemove(bucket, seen);
        if (last != null) {
            writeListener.run();
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

    /** Forgets the history of all kinds up to now: lists and watches from before will be told that they have expired. */
    public void compact() {
        writeLock.lock();
        try {
            for (Bucket bucket : buckets) {
                bucket.log().trim(current.revision());
            }
        } finally {
            writeLock.unlock();
        }
    }

    private boolean holds(Bucket bucket, String key, @Nullable StoredObject seen, @Nullable Guard guard) {
        return current.get(bucket, key) == seen
                && (guard == null || current.get(guard.bucket(), guard.seen().key()) == guard.seen());
    }

    private void publish(Bucket bucket, StorageEvent event) {
        List<PersistentSortedMap<StoredObject>> contents = new ArrayList<>(current.contents());
        contents.set(bucket.index(), event.after());
        Snapshot next = new Snapshot(event.revision(), List.copyOf(contents));
        bucket.log().append(event, () -> current = next);
    }

    /**
     * A condition of a write: another object that must still be the one that the caller has seen.
     *
     * @param bucket its kind
     * @param seen the object
     */
    public record Guard(Bucket bucket, StoredObject seen) {}
}
