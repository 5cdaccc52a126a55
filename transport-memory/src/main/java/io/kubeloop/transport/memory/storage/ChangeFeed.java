package io.kubeloop.transport.memory.storage;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Every change of every kind, for one reader that does not wait: it is told when there may be something new, and polls.
 *
 * <p>Changes of one kind come in order; within a poll those of different kinds may overtake each other. Between two polls the
 * feed has shown everything up to one revision, and nothing beyond: whoever has been told that an owner is going has been told
 * of all dependents that were there before. The storage is never behind what the feed has shown. Confined to one thread.
 */
public final class ChangeFeed {

    /** Receives changes. */
    public interface Listener {

        /**
         * There was a gap, and the feed begins again: what exists is about to be told. That something went in the gap is told
         * by nothing else, so that what was concluded from earlier calls has to be forgotten.
         */
        void onReset();

        /** An object exists; also called for what has not changed, at the beginning and after a gap. */
        void onUpsert(Bucket bucket, StoredObject object);

        /** An object is gone. */
        void onDelete(Bucket bucket, StoredObject last);
    }

    private static final long START = -1;

    private final Storage storage;
    private final List<Bucket> buckets;
    private final long[] positions;
    private final Listener listener;

    /** Makes a feed that begins with the present state. */
    public ChangeFeed(Storage storage, Collection<Bucket> buckets, Listener listener) {
        this.storage = storage;
        this.buckets = List.copyOf(buckets);
        this.positions = new long[this.buckets.size()];
        this.listener = listener;
        Arrays.fill(positions, START);
    }

    /**
     * Passes on what was new when the poll began. If the log has moved past this feed, begins again with the present state
     * of every kind.
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
