package io.kubeloop.apiserver.storage;

import java.util.Arrays;
import java.util.List;

/**
 * The changes of all kinds for one polling reader.
 *
 * <p>Changes of one kind arrive in order. Within one poll, changes of different kinds may arrive in another order
 * than they were written. After each poll the feed has delivered every change up to one revision, and none above
 * it. A reader that has received the deletion of an owner has therefore received every dependent that existed
 * before. The storage is never behind the delivered changes. Confined to one thread.
 */
public final class ChangeFeed {

    /** Receives the changes of a {@link ChangeFeed}. */
    public interface Listener {

        /**
         * The feed has lost changes and starts again: it is about to deliver every existing object. No later call
         * reports the objects that were deleted in the gap, so the listener must discard its state.
         */
        void onReset();

        /** An object exists. Also called for unchanged objects, at the start and after a gap. */
        void onUpsert(Bucket bucket, StoredObject object);

        /** An object was deleted. */
        void onDelete(Bucket bucket, StoredObject last);
    }

    private static final long START = -1;

    private final Storage storage;
    private final Listener listener;

    /** By the index of the bucket; a bucket that is not here has not started. */
    private long[] positions = {};

    /** Creates a feed that starts with the current state. */
    public ChangeFeed(Storage storage, Listener listener) {
        this.storage = storage;
        this.listener = listener;
    }

    /**
     * Delivers the changes up to the revision at the start of the call. If a log has discarded events that this
     * feed has not read, starts again with the current state of every kind.
     */
    public void poll() {
        while (!deliver(storage.snapshot())) {
            listener.onReset();
            Arrays.fill(positions, START);
        }
    }

    /** Returns false if changes have been lost. */
    private boolean deliver(Snapshot now) {
        List<Bucket> buckets = storage.buckets(); // after the snapshot, which therefore has no bucket beyond them
        addPositions(buckets.size());
        try {
            for (Bucket bucket : buckets) {
                if (positions[bucket.index()] == START) {
                    begin(bucket, now);
                }
                follow(bucket, now.revision());
            }
            return true;
        } catch (ExpiredException e) {
            return false;
        }
    }

    private void addPositions(int count) {
        int known = positions.length;
        if (count > known) {
            positions = Arrays.copyOf(positions, count);
            Arrays.fill(positions, known, count, START);
        }
    }

    private void begin(Bucket bucket, Snapshot now) {
        positions[bucket.index()] = bucket.log().positionAfter(now.revision());
        now.of(bucket).range("", null).forEachRemaining(object -> listener.onUpsert(bucket, object));
    }

    private void follow(Bucket bucket, long through) {
        int index = bucket.index();
        List<StorageEvent> batch = bucket.log().poll(positions[index]);
        while (!batch.isEmpty()) {
            for (StorageEvent event : batch) {
                if (event.revision() > through) {
                    return;
                }
                positions[index]++;
                if (event.deleted()) {
                    listener.onDelete(bucket, event.object());
                } else {
                    listener.onUpsert(bucket, event.object());
                }
            }
            batch = bucket.log().poll(positions[index]);
        }
    }
}
