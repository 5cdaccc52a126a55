package io.kubeloop.apiserver.storage;

import java.util.Arrays;
import java.util.Collection;
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
    private final List<Bucket> buckets;
    private final long[] positions;
    private final Listener listener;

    /** Creates a feed that starts with the current state. */
    public ChangeFeed(Storage storage, Collection<Bucket> buckets, Listener listener) {
        this.storage = storage;
        this.buckets = List.copyOf(buckets);
        this.positions = new long[this.buckets.size()];
        this.listener = listener;
        Arrays.fill(positions, START);
    }

    /**
     * Delivers the changes up to the revision at the start of the call. If a log has discarded events that this
     * feed has not read, starts again with the current state of every kind.
     */
    public void poll() {
        Snapshot now = storage.snapshot();
        for (int i = 0; i < positions.length; i++) {
            try {
                if (positions[i] == START) {
                    begin(i, now);
                }
                follow(i, now.revision());
            } catch (ExpiredException e) {
                listener.onReset();
                Arrays.fill(positions, START);
                now = storage.snapshot();
                i = -1;
            }
        }
    }

    private void begin(int index, Snapshot now) {
        Bucket bucket = buckets.get(index);
        positions[index] = bucket.log().positionAfter(now.revision());
        now.of(bucket).range("", null).forEachRemaining(object -> listener.onUpsert(bucket, object));
    }

    private void follow(int index, long through) {
        Bucket bucket = buckets.get(index);
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
