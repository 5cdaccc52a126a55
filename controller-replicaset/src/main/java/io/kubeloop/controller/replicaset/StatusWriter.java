/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.apps.ReplicaSetStatusBuilder;
import io.kubeloop.controller.WriteBarrier;
import java.time.Clock;
import java.time.Duration;

/**
 * Writes a status if it differs, and tries once more if that fails (upstream: {@code updateReplicaSetStatus}).
 * Thread-safe for different owners.
 *
 * <p>Unlike upstream, it never writes the status into another object that has taken the name, and it limits the rate of
 * writes while an owner's pods change. Written at once: a status with all pods ready and available, a new generation, a
 * condition, and the first change after the interval. So is every status of an owner whose pods cannot be created: a
 * delayed status would cause another sync, and each sync costs the server a rejected creation.
 */
final class StatusWriter<T extends KubeObject> {

    private final ReplicaKind<T> kind;
    private final WriteBarrier.Owners<T> owners;
    private final PerOwnerThrottle sinceWritten;

    /**
     * Creates a writer.
     *
     * @param interval the shortest time between two writes; zero disables the limit
     * @param clock measures the interval
     */
    StatusWriter(ReplicaKind<T> kind, WriteBarrier.Owners<T> owners, Duration interval, Clock clock) {
        this.kind = kind;
        this.owners = owners;
        this.sinceWritten = new PerOwnerThrottle(interval, clock);
    }

    /**
     * Writes the status, unless the interval delays it. Blocks for up to three requests.
     *
     * @return the delay after which to sync the owner again, if the status was not written; else zero
     * @throws RuntimeException the failure of the second try
     */
    Duration writeInTime(ReplicaView<T> owner, ReplicaSetStatus calculated) {
        ReplicaSetStatus status = observed(owner, calculated);
        if (status.equals(owner.status())) {
            return Duration.ZERO;
        }
        Duration hold = isOnTheWay(owner, status) ? sinceWritten.left(owner.key()) : Duration.ZERO;
        if (hold.isZero()) {
            write(owner, status);
            sinceWritten.begin(owner.key());
        }
        return hold;
    }

    /** Returns whether the statuses differ only in numbers that have not reached the wanted values. */
    private static boolean isOnTheWay(ReplicaView<?> owner, ReplicaSetStatus status) {
        ReplicaSetStatus written = owner.status();
        int wanted = owner.replicas();
        boolean arrived =
                status.replicas() == wanted && status.readyReplicas() == wanted && status.availableReplicas() == wanted;
        return !arrived
                && written.observedGeneration() == owner.metadata().generation()
                && written.conditions().equals(status.conditions())
                && !ReplicaSetStatuses.isFailing(status);
    }

    private static ReplicaSetStatus observed(ReplicaView<?> owner, ReplicaSetStatus calculated) {
        return ReplicaSetStatusBuilder.builder(calculated)
                .observedGeneration(owner.metadata().generation())
                .build();
    }

    private void write(ReplicaView<T> owner, ReplicaSetStatus status) {
        try {
            update(owner.object(), status);
        } catch (RuntimeException first) {
            T fresh = owners.client().get(owner.key());
            if (!fresh.metadata().uid().equals(owner.metadata().uid())) {
                throw first;
            }
            update(fresh, status);
        }
    }

    private void update(T replaced, ReplicaSetStatus status) {
        owners.updateStatus(kind.withStatus(replaced, status));
    }

    /** Drops the record of an owner that no longer exists. */
    void forget(ObjectName key) {
        sinceWritten.end(key);
    }
}
