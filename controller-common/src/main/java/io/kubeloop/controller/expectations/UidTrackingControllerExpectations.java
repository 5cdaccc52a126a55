/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.expectations;

import io.kubeloop.api.ObjectName;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Expectations that record the names of the pods to be deleted (upstream: {@code UIDTrackingControllerExpectations}).
 *
 * <p>One deletion can arrive twice: as an update that sets the deletion timestamp, and as the deletion itself. If
 * both counted, the controller would act too early. A name counts once.
 *
 * <p>Thread-safe; each call is atomic and does not block.
 */
public final class UidTrackingControllerExpectations {

    /*
     * Invariant 1: a set in `pending` is read and written only inside compute of its map (the map's lock of that key).
     * Invariant 2: a name leaves its set together with one step down of the deletion counter, in the same compute.
     * Lock order: a bin of `pending`, then a bin of the counters; never the other way.
     */

    private final ControllerExpectations counters;
    private final ConcurrentMap<ObjectName, Set<ObjectName>> pending = new ConcurrentHashMap<>();

    /** Creates an empty set of expectations over these counters, which the caller may read but must not lower. */
    public UidTrackingControllerExpectations(ControllerExpectations counters) {
        this.counters = counters;
    }

    /** Returns the counters of the key, or null if no expectations were set. */
    public @Nullable ControlleeExpectations get(ObjectName key) {
        return counters.get(key);
    }

    /** Returns a copy of the pods whose deletion was not observed yet, or null if none was ever expected. O(n). */
    public @Nullable Set<ObjectName> pendingDeletions(ObjectName key) {
        Set<ObjectName> copy = new LinkedHashSet<>();
        return pending.computeIfPresent(key, (k, names) -> {
                            copy.addAll(names);
                            return names;
                        })
                        == null
                ? null
                : copy;
    }

    /** Returns whether the controller may act; see {@link ControllerExpectations#isSatisfied}. */
    public boolean isSatisfied(ObjectName key) {
        return counters.isSatisfied(key);
    }

    /** Expects this many creations and no deletions; the names of pods to be deleted stay. */
    public void expectCreations(ObjectName key, int adds) {
        counters.expectCreations(key, adds);
    }

    /** Expects the deletion of these pods, each once, and no creations. */
    public void expectDeletions(ObjectName key, Collection<ObjectName> pods) {
        pending.compute(key, (k, old) -> {
            Set<ObjectName> names = new HashSet<>(pods);
            counters.setExpectations(key, 0, names.size());
            return names;
        });
    }

    /** Lowers the expected creations by one. */
    public void creationObserved(ObjectName key) {
        counters.creationObserved(key);
    }

    /** Lowers the expected creations by this many. */
    public void creationsObserved(ObjectName key, int adds) {
        counters.lowerExpectations(key, adds, 0);
    }

    /** Lowers the expected deletions by one if this pod's deletion is expected. */
    public void deletionObserved(ObjectName key, ObjectName pod) {
        pending.computeIfPresent(key, (k, names) -> {
            if (names.remove(pod)) {
                counters.deletionObserved(key);
            }
            return names;
        });
    }

    /** Removes the expectations of the key. */
    public void deleteExpectations(ObjectName key) {
        pending.compute(key, (k, names) -> {
            counters.deleteExpectations(key);
            return null;
        });
    }
}
