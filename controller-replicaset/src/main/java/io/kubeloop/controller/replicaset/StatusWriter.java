package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ReplicaSetStatus;
import io.kubeloop.api.ReplicaSetStatusBuilder;
import io.kubeloop.api.client.ResourceClient;

/**
 * Writes a status if it differs, with one more try if that fails (upstream: {@code updateReplicaSetStatus}).
 *
 * <p>Unlike upstream, it does not write the status of an object into another that has taken its name meanwhile.
 */
final class StatusWriter<T extends KubeObject> {

    private final ReplicaKind<T> kind;
    private final ResourceClient<T> client;

    StatusWriter(ReplicaKind<T> kind, ResourceClient<T> client) {
        this.kind = kind;
        this.client = client;
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
            updated = client.updateStatus(kind.withStatus(owner.object(), status));
        } catch (RuntimeException first) {
            T fresh = client.get(owner.key());
            if (!fresh.metadata().uid().equals(owner.metadata().uid())) {
                throw first;
            }
            updated = client.updateStatus(kind.withStatus(fresh, status));
        }
        return kind.view(updated);
    }
}
