/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSetStatus;
import java.time.Clock;
import java.time.Duration;

/**
 * Limits the rate of status writes while an owner's pods change. Upstream writes every intermediate status, as fast
 * as the server accepts them.
 *
 * <p>Written at once: a status with all pods ready and available, a new generation, a condition, and the first change
 * after the interval. So is every status of an owner whose pods cannot be created: a delayed status would cause
 * another sync, and each of its syncs costs the server a rejected request.
 *
 * <p>Thread-safe.
 */
final class StatusThrottle {

    // No lock: only the one worker that syncs an owner calls.
    private final PerOwnerThrottle sinceWritten;

    /**
     * Creates a throttle.
     *
     * @param interval the shortest time between two writes; zero disables the throttle
     */
    StatusThrottle(Duration interval, Clock clock) {
        sinceWritten = new PerOwnerThrottle(interval, clock);
    }

    /** Returns the delay of this status; zero if it must be written now. */
    Duration hold(ReplicaView<?> owner, ReplicaSetStatus status) {
        return isOnTheWay(owner, status) ? sinceWritten.left(owner.key()) : Duration.ZERO;
    }

    /** Records that a status was written. */
    void written(ObjectName key) {
        sinceWritten.begin(key);
    }

    void forget(ObjectName key) {
        sinceWritten.end(key);
    }

    /** Returns whether only numbers differ that have not reached the wanted values. */
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
