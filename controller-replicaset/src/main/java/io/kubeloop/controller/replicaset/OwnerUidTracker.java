/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.controller.UidTrackingControllerExpectations;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Drops the expectations of a key when its owner's UID changes.
 *
 * <p>Expectations are kept by name, and a deleted owner's name can be reused. Upstream drops them when its handler
 * receives the deletion. But handlers run behind the cache: by then a worker may have acted for the new owner. So
 * each sync records its owner's UID, and the deletion of another owner drops nothing.
 *
 * <p>Thread-safe; each call is atomic.
 */
final class OwnerUidTracker {

    // Invariant 1: the expectations and pending creations of a key were recorded by syncs of the owner whose UID is
    // in `owners`. A key without a UID has none.
    // Invariant 2: only the worker that syncs a key changes its entry, before it records anything.
    // Invariant 3: one compute of `owners` compares the entry and drops the records.
    // Called by workers (begin, end) and by the thread of the owners' events (deleted). A deletion during its owner's
    // last sync may leave records that the sync makes afterwards. The entry stays, so the next begin or end drops
    // them.
    // Lock order: a bin of `owners`, then those of expectations and of pending creations; never in reverse.

    private final ConcurrentMap<ObjectName, String> owners = new ConcurrentHashMap<>();
    private final UidTrackingControllerExpectations expectations;
    private final PendingCreations unseen;

    OwnerUidTracker(UidTrackingControllerExpectations expectations, PendingCreations unseen) {
        this.expectations = expectations;
        this.unseen = unseen;
    }

    /** Records that a sync of this owner begins; drops the records of an earlier owner of the name. */
    void begin(ObjectName key, String uid) {
        owners.compute(key, (k, last) -> {
            if (last != null && !last.equals(uid)) {
                forget(k);
            }
            return uid;
        });
    }

    /** Records that a sync has found no owner; drops the records of the last one. */
    void end(ObjectName key) {
        owners.compute(key, (k, last) -> {
            forget(k);
            return null;
        });
    }

    /** Handles a deletion; drops the records unless they belong, or may belong, to another owner. */
    void deleted(DeletedObject<? extends KubeObject> deleted) {
        KubeObject owner = deleted.lastKnown();
        String uid = owner == null ? "" : owner.metadata().uid();
        owners.compute(deleted.name(), (k, last) -> {
            if (last == null || last.equals(uid)) {
                forget(k);
            }
            return last;
        });
    }

    private void forget(ObjectName key) {
        expectations.deleteExpectations(key);
        unseen.forget(key);
    }
}
