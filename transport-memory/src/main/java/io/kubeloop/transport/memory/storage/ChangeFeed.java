package io.kubeloop.transport.memory.storage;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Every change of every kind, for one reader that does not wait: it is told when there may be something new, and polls.
 *
 * <p>Changes of one kind come in order; those of different kinds may overtake each other. Whoever compares kinds looks into
 * the storage, which is never behind what the feed has shown. Confined to one thread.
 */
public final class ChangeFeed {

    /** Receives changes. */
    public interface Listener {

        /** An object exists; also called for what has not changed, at the beginning and after a gap. */
        void exists(Bucket bucket, StoredObject object);

        /** An object is gone. */
        void gone(Bucket bucket, StoredObject last);
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

    /** Passes on what is new. If the log has moved past this feed, begins again with the present state of every kind. */
    public void poll() {
        for (int i = 0; i < positions.length; i++) {
            try {
                if (positions[i] == START) {
                    begin(i);
                }
                follow(i);
            } catch (ExpiredException e) {
                Arrays.fill(positions, START);
                i = -1;
            }
        }
    }

    private void begin(int index) {
        Bucket bucket = buckets.get(index);
        Snapshot now = storage.snapshot();
        positions[index] = bucket.log().positionAfter(now.revision());
        now.of(bucket).range("", null).forEachRemaining(object -> listener.exists(bucket, object));
    }

    private void follow(int index) {
        Bucket bucket = buckets.get(index);
        List<StorageEvent> batch = bucket.log().poll(positions[index]);
        while (!batch.isEmpty()) {
            for (StorageEvent event : batch) {
                if (event.deleted()) {
                    listener.gone(bucket, event.object());
                } else {
                    listener.exists(bucket, event.object());
                }
            }
            positions[index] += batch.size();
            batch = bucket.log().poll(positions[index]);
        }
    }
}
