/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** All objects of all kinds at one revision. Immutable. */
public final class Snapshot {

    private final long revision;
    /** By the index of the bucket. Never modified; shorter than the number of buckets if some are newer. */
    private final PersistentSortedMap<StoredObject>[] contents;

    private Snapshot(long revision, PersistentSortedMap<StoredObject>[] contents) {
        this.revision = revision;
        this.contents = contents;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
    static Snapshot empty(long revision) {
        return new Snapshot(revision, (PersistentSortedMap<StoredObject>[]) new PersistentSortedMap[0]);
    }

    /** Returns this snapshot after one write. */
    Snapshot with(long newRevision, Bucket bucket, PersistentSortedMap<StoredObject> objects) {
        int length = Math.max(contents.length, bucket.index() + 1);
        PersistentSortedMap<StoredObject>[] copy = Arrays.copyOf(contents, length);
        for (int i = contents.length; i < length; i++) {
            copy[i] = PersistentSortedMap.empty();
        }
        copy[bucket.index()] = objects;
        return new Snapshot(newRevision, copy);
    }

    /** Returns the revision. */
    public long revision() {
        return revision;
    }

    /** Returns the objects of a kind. */
    public PersistentSortedMap<StoredObject> of(Bucket bucket) {
        return bucket.index() < contents.length ? contents[bucket.index()] : PersistentSortedMap.empty();
    }

    /** Returns an object, or null if it does not exist. O(log n). */
    public @Nullable StoredObject get(Bucket bucket, String key) {
        return of(bucket).get(key);
    }
}
