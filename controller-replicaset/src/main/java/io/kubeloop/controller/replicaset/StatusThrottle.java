package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSetStatus;
import java.time.Clock;
import java.time.Duration;

/**
 * Decides when a status may wait: while pods come and go it changes with each of them, and nobody needs to be told of every
 * number on the way. Upstream writes them all, as fast as the server lets it.
 *
 * <p>What is told at once: that all pods are there, ready and available; that a new generation was observed; a condition; and
 * whatever comes after a pause. And everything about an owner whose pods cannot all be made: a status that is left for later brings
 * the owner back for one more sync, and each sync of that owner costs the server a refused request.
 *
 * <p>Thread-safe.
 */
final class StatusThrottle {

    // No lock: an owner is synced by one worker at a time, which alone calls.
    private final PerOwnerThrottle sinceWritten;

    /**
     * Makes a pace.
     *
     * @param interval how long after a write the next one may have to wait; zero for not at all
     */
    StatusThrottle(Duration interval, Clock clock) {
        sinceWritten = new PerOwnerThrottle(interval, clock);
    }

    /** Returns how long this status is to wait; zero if it is to be written now. */
    Duration hold(ReplicaView<?> owner, ReplicaSetStatus status) {
        return isOnTheWay(owner, status) ? sinceWritten.left(owner.key()) : Duration.ZERO;
    }

    /** Takes note that a status was written just now. */
    void written(ObjectName key) {
        sinceWritten.begin(key);
    }

    void forget(ObjectName key) {
        sinceWritten.end(key);
    }

    /** Whether nothing differs but numbers that have not arrived where they are going. */
    private static boolean isOnTheWay(ReplicaView<?> owner, ReplicaSetStatus status) {
        ReplicaSetStatus told = owner.status();
        int wanted = owner.replicas();
        boolean arrived =
                status.replicas() == wanted && status.readyReplicas() == wanted && status.availableReplicas() == wanted;
        return !arrived
                && told.observedGeneration() == owner.metadata().generation()
                && told.conditions().equals(status.conditions())
                && !ReplicaSetStatuses.isFailing(status);
    }
}
