/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerExpectations;
import io.kubeloop.controller.PodCache;
import io.kubeloop.controller.Pods;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The pods, by name, that exist on the server and that the cache has not shown yet.
 *
 * <p>Upstream only counts creations. Any pod of the owner lowers the count, also one that was replaced as lost or
 * that another client created. The controller then assumes that its own pods have arrived, and creates them again. A
 * name is matched by its pod alone. A pod that was found by a list from the server counts as shown once the cache
 * shows its controller. Before that, the cache may show the pod as it was before its adoption, or with old labels.
 *
 * <p>Thread-safe; each call is atomic.
 */
final class PendingCreations {

    // Invariant 1: an inner map is read and written only inside compute of the outer one, and is never empty.
    // Called by workers (check, reset), by the threads that create pods (created) and by informer threads (seen,
    // forget).

    /** The state of an owner's pending creations. */
    enum State {
        /** The cache has shown every pod. */
        SEEN,
        /** The cache has not shown some pods yet. */
        WAITING,
        /**
         * A pod has been pending for so long that it may never appear: it may have been created and deleted while no
         * watch was open.
         */
        EXPIRED
    }

    private record Creation(String uid, Instant since, boolean isFound) {}

    private final ConcurrentMap<ObjectName, Map<ObjectName, Creation>> unseen = new ConcurrentHashMap<>();
    private final Clock clock;

    PendingCreations(Clock clock) {
        this.clock = clock;
    }

    /** Records a pod that the server has created. */
    void created(ObjectName owner, ObjectIdentity pod) {
        add(owner, pod, false);
    }

    private void add(ObjectName owner, ObjectIdentity pod, boolean isFound) {
        unseen.compute(owner, (key, pods) -> {
            Map<ObjectName, Creation> known = pods == null ? new HashMap<>() : pods;
            known.put(pod.name(), new Creation(pod.uid(), clock.instant(), isFound));
            return known;
        });
    }

    /** Removes a pod that an event has shown. */
    void seen(ObjectName owner, Pod pod) {
        ObjectName name = Pods.podKey(pod);
        unseen.computeIfPresent(owner, (key, pods) -> {
            Creation creation = pods.get(name);
            if (creation != null && isShown(pod, creation)) {
                pods.remove(name);
            }
            return pods.isEmpty() ? null : pods;
        });
    }

    /** Replaces the pods of an owner by those that the server has and the cache does not show. */
    void reset(ObjectName owner, Collection<Pod> pods) {
        unseen.remove(owner);
        pods.forEach(pod -> add(owner, ObjectIdentity.of(pod.metadata()), true));
    }

    /** Removes the pods of an owner. */
    void forget(ObjectName owner) {
        unseen.remove(owner);
    }

    /** Compares with the cache, which may have shown a pod before the response to its creation was read. */
    State check(ObjectName owner, PodCache cache) {
        Instant limit = clock.instant().minus(ControllerExpectations.TIMEOUT);
        AtomicBoolean expired = new AtomicBoolean();
        Map<ObjectName, Creation> left = unseen.computeIfPresent(owner, (key, pods) -> {
            pods.entrySet().removeIf(entry -> isShown(cache.get(entry.getKey()), entry.getValue()));
            expired.set(
                    pods.values().stream().anyMatch(creation -> creation.since().isBefore(limit)));
            return pods.isEmpty() ? null : pods;
        });
        if (left == null) {
            return State.SEEN;
        }
        return expired.get() ? State.EXPIRED : State.WAITING;
    }

    private static boolean isShown(@Nullable Pod pod, Creation creation) {
        return pod != null
                && pod.metadata().uid().equals(creation.uid())
                && (!creation.isFound() || pod.metadata().controller() != null || !Pods.isPodActive(pod));
    }
}
