package io.kubeloop.transport.memory.storage;

import org.jspecify.annotations.Nullable;

/**
 * One write, as the event log keeps it.
 *
 * @param revision the version that the write made
 * @param object the state after the write; of a deletion the last state, under the revision of the deletion
 * @param previous the state before the write; null if the object was created
 * @param deleted whether the object is gone
 * @param after all objects of the kind as they were after the write
 */
record StorageEvent(
        long revision,
        StoredObject object,
        @Nullable StoredObject previous,
        boolean deleted,
        PersistentSortedMap<StoredObject> after) {}
