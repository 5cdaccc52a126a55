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
 * Writes a status if it differs, with one more try if that fails (upstream: {@code updateReplicaSetStatus}); at a pace of its own,
 * see {@link StatusThrottle}.
 *
 * <p>Unlike upstream, it does not write the status of an object into another that has taken its name meanwhile.
 */
final class StatusWriter<T extends KubeObject> {

    private final ReplicaKind<T> kind;
    private final ResourceClient<T> client;
    private final RecentWrites<T> recentWrites;
    private final StatusThrottle pace;

    StatusWriter(ReplicaKind<T> kind, ResourceClient<T> client, Duration interval, Clock clock) {
        this.kind = kind;
        this.client = client;
        this.recentWrites = new RecentWrites<>(clock);
        this.pace = new StatusThrottle(interval, clock);
    }

    /**
     * Writes the status, unless it may wait. Blocks, unless nothing differs.
     *
     * @return after how long to look at the owner again, since its status was left for later; zero if it was not
     * @throws RuntimeException what the server said at the second try
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
        RecentWrites.Entry<T> begun = recentWrites.begin(replaced.objectName());
        try {
            T updated = client.updateStatus(kind.withStatus(replaced, status));
            recentWrites.done(begun, replaced.metadata().resourceVersion(), updated);
        } catch (RuntimeException e) {
            recentWrites.forget(replaced.objectName());
            throw e;
        }
    }

    /** Returns the owner as the cache shows it or, if that is newer, as it was written last. */
    ReplicaView<T> latest(T cached) {
        return kind.view(recentWrites.latest(cached));
    }

    /** Forgets an owner: it is gone. */
    void forget(ObjectName key) {
        recentWrites.forget(key);
        pace.forget(key);
    }
}
