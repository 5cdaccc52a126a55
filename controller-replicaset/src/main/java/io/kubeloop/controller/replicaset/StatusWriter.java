/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.apps.ReplicaSetStatusBuilder;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.RecentWrites;
import java.time.Clock;
import java.time.Duration;

/**
 * Writes a status if it differs, and tries once more if that fails (upstream: {@code updateReplicaSetStatus}). {@link
 * StatusThrottle} limits the rate of writes. Thread-safe for different owners.
 *
 * <p>Unlike upstream, it never writes the status into another object that has taken the name.
 */
final class StatusWriter<T extends KubeObject> {

    private final ReplicaKind<T> kind;
    private final ResourceClient<T> client;
    private final RecentWrites<T> recentWrites;
    private final StatusThrottle pace;

    StatusWriter(ReplicaKind<T> kind, ResourceClient<T> client, Duration interval, Clock clock) {
        this.kind = kind;
        this.client = client;
        this.recentWrites = new RecentWrites<>(client, clock);
        this.pace = new StatusThrottle(interval, clock);
    }

    /**
     * Writes the status, unless the throttle delays it. Blocks for up to three requests.
     *
     * @return the delay after which to sync the owner again, if the status was not written; else zero
     * @throws RuntimeException the failure of the second try
     */
    Duration writeInTime(ReplicaView<T> owner, ReplicaSetStatus calculated) {
        ReplicaSetStatus status = observed(owner, calculated);
        if (status.equals(owner.status())) {
            return Duration.ZERO;
        }
        Duration hold = pace.hold(owner, status);
        if (hold.isZero()) {
            write(owner, status);
            pace.written(owner.key());
        }
        return hold;
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
            T fresh = client.get(owner.key());
            if (!fresh.metadata().uid().equals(owner.metadata().uid())) {
                throw first;
            }
            update(fresh, status);
        }
    }

    private void update(T replaced, ReplicaSetStatus status) {
        recentWrites.updateStatus(kind.withStatus(replaced, status));
    }

    /** Returns the owner as cached or, if that is newer, as last written. */
    ReplicaView<T> latest(T cached) {
        return kind.view(recentWrites.latest(cached));
    }

    /** Drops the records of an owner that no longer exists. */
    void forget(ObjectName key) {
        recentWrites.forget(key);
        pace.forget(key);
    }
}
