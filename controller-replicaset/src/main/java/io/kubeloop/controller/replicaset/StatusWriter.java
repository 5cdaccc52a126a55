package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ReplicaSetStatus;
import io.kubeloop.api.ReplicaSetStatusBuilder;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.LastWrites;
import java.time.Clock;

/**
 * Writes a status if it differs, with one more try if that fails (upstream: {@code updateReplicaSetStatus}).
 *
 * <p>Unlike upstream, it does not write the status of an object into another that has taken its name meanwhile.
 */
final class StatusWriter<T extends KubeObject> {

    private final ReplicaKind<T> kind;
    private final ResourceClient<T> client;
    private final LastWrites<T> lastWrites;

    StatusWriter(ReplicaKind<T> kind, ResourceClient<T> client, Clock clock) {
        this.kind = kind;
        this.client = client;
        this.lastWrites = new LastWrites<>(clock);
    }

    /**
     * Returns the owner with the status, as stored. Blocks, unless nothing differs.
     *
     * @throws RuntimeException what the server said at the second try
     */
    ReplicaView<T> write(ReplicaView<T> owner, ReplicaSetStatus calculated) {
        ReplicaSetStatus status = ReplicaSetStatusBuilder.builder(calculated)
                .observedGeneration(owner.metadata().generation())
                .build();
        if (status.equals(owner.status())) {
            return owner;
        }
        T updated;
        try {
            updated = update(owner.object(), status);
        } catch (RuntimeException first) {
            T fresh = client.get(owner.key());
            if (!fresh.metadata().uid().equals(owner.metadata().uid())) {
                throw first;
            }
            updated = update(fresh, status);
        }
        return kind.view(updated);
    }

    private T update(T replaced, ReplicaSetStatus status) {
        LastWrites.Entry<T> begun = lastWrites.begin(replaced.objectName());
        try {
            T updated = client.updateStatus(kind.withStatus(replaced, status));
            lastWrites.done(begun, replaced.metadata().resourceVersion(), updated);
            return updated;
        } catch (RuntimeException e) {
            lastWrites.forget(replaced.objectName());
            throw e;
        }
    }

    /** Returns the owner as the cache shows it or, if that is newer, as it was written last. */
    ReplicaView<T> latest(T cached) {
        return kind.view(lastWrites.latest(cached));
    }

    /** Forgets an owner: it is gone. */
    void forget(ObjectName key) {
        lastWrites.forget(key);
    }
}
