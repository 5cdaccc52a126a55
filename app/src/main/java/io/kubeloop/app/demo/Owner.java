package io.kubeloop.app.demo;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.core.ReplicationController;
import org.jspecify.annotations.Nullable;

/**
 * A ReplicaSet or ReplicationController.
 *
 * @param kind its kind
 * @param metadata its metadata
 * @param wanted the number of pods that it requests
 * @param reportedReady the number of ready pods in its status
 * @param observed whether the status is of the current generation
 */
record Owner(String kind, ObjectMeta metadata, int wanted, int reportedReady, boolean observed) {

    /** Returns the name of the controller that acts on it. */
    String controller() {
        return kind.equals("ReplicaSet") ? "ReplicaSet controller" : "Replication controller";
    }

    static Owner of(ReplicaSet set) {
        ObjectMeta metadata = set.metadata();
        return new Owner(
                "ReplicaSet",
                metadata,
                orOne(set.spec().replicas()),
                set.status().readyReplicas(),
                set.status().observedGeneration() >= metadata.generation());
    }

    static Owner of(ReplicationController controller) {
        ObjectMeta metadata = controller.metadata();
        return new Owner(
                "ReplicationController",
                metadata,
                orOne(controller.spec().replicas()),
                controller.status().readyReplicas(),
                controller.status().observedGeneration() >= metadata.generation());
    }

    private static int orOne(@Nullable Integer replicas) {
        return replicas == null ? 1 : replicas;
    }
}
