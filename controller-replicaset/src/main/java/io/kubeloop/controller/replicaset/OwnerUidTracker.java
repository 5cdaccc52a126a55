package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.controller.UidTrackingControllerExpectations;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Ends what is waited for under a key together with the owner that it is waited for.
 *
 * <p>Expectations are kept by name, and a name can pass to another object. Upstream forgets them when its handler hears of the
 * deletion; but handlers run behind the cache, and by then a worker may have acted for the successor. So a worker says for
 * which object it acts, and the deletion of another one ends nothing.
 *
 * <p>Thread-safe; each call is atomic.
 */
final class OwnerUidTracker {

    // Invariant 1: whatever is expected or unseen under a key was recorded by syncs of the owner whose UID `owners`
    //              has; where there is none, nothing is.
    // Invariant 2: only the worker that syncs a key changes its entry, before it records anything.
    // Invariant 3: the entry is compared, and what was recorded is forgotten, inside one compute of `owners`.
    // Called by workers (begin, end) and by the thread of the owners' events (deleted). A deletion that comes in the
    // middle of its owner's last sync may leave what that sync records afterwards: the entry stays, so the next begin
    // or end forgets it.
    // Lock order: a bin of `owners`, then those of expectations and of unseen creations; never the other way.

    private final ConcurrentMap<ObjectName, String> owners = new ConcurrentHashMap<>();
    private final UidTrackingControllerExpectations expectations;
    private final PendingCreations unseen;

    OwnerUidTracker(UidTrackingControllerExpectations expectations, PendingCreations unseen) {
        this.expectations = expectations;
        this.unseen = unseen;
    }

    /** Says that a sync begins; forgets what was recorded for a predecessor. */
    void begin(ObjectName key, String uid) {
        owners.compute(key, (k, last) -> {
            if (last != null && !last.equals(uid)) {
                forget(k);
            }
            return uid;
        });
    }

    /** Says that a sync has found no owner; forgets what was recorded for the last one. */
    void end(ObjectName key) {
        owners.compute(key, (k, last) -> {
            forget(k);
            return null;
        });
    }

    /** Takes note of a deletion; forgets what was recorded unless it was, or may have been, for another owner. */
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
