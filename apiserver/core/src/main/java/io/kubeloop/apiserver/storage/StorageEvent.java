/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import org.jspecify.annotations.Nullable;

/**
 * One write in the event log.
 *
 * @param revision the revision of the write
 * @param object the state after the write; for a deletion the last state, with the revision of the deletion
 * @param previous the state before the write; null if the object was created
 * @param deleted whether the write deleted the object
 * @param after all objects of the kind after the write
 * @param forms the encoded forms of the event
 */
record StorageEvent(
        long revision,
        StoredObject object,
        @Nullable StoredObject previous,
        boolean deleted,
        PersistentSortedMap<StoredObject> after,
        SharedForms forms) {

    StorageEvent(
            long revision,
            StoredObject object,
            @Nullable StoredObject previous,
            boolean deleted,
            PersistentSortedMap<StoredObject> after) {
        this(revision, object, previous, deleted, after, new SharedForms());
    }

    /** Returns the event without the objects of the kind, which a watcher that is blocked must not hold. */
    StorageEvent withoutState() {
        return new StorageEvent(revision, object, previous, deleted, PersistentSortedMap.empty(), forms);
    }

    /** Returns about how many bytes of memory the two states of the object take. */
    long weight() {
        return object.weight() + (previous == null ? 0 : previous.weight());
    }
}
