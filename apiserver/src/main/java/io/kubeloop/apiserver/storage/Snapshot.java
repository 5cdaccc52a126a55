package io.kubeloop.apiserver.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All objects of all kinds at one revision. Immutable. */
public final class Snapshot {

    private final long revision;
    private final List<PersistentSortedMap<StoredObject>> contents;

    Snapshot(long revision, List<PersistentSortedMap<StoredObject>> contents) {
        this.revision = revision;
        this.contents = contents;
    }

    /** Returns the revision. */
    public long revision() {
        return revision;
    }

    /** Returns the objects of a kind. */
    public PersistentSortedMap<StoredObject> of(Bucket bucket) {
        return contents.get(bucket.index());
    }

    /** Returns an object, or null if it does not exist. O(log n). */
    public @Nullable StoredObject get(Bucket bucket, String key) {
        return of(bucket).get(key);
    }

    List<PersistentSortedMap<StoredObject>> contents() {
        return contents;
    }
}
