package io.kubeloop.app.manager;

import java.time.Duration;

/**
 * What the flags say about single controllers.
 *
 * @param endpointSyncs Services worked on side by side; default 5
 * @param endpointUpdatesBatchPeriod how long changes of pods are gathered before Endpoints are written; default 0
 * @param replicaSetSyncs ReplicaSets worked on side by side; default 5
 * @param replicationControllerSyncs ReplicationControllers worked on side by side; default 5
 * @param rules the release whose objects are written; default {@link CompatibilityProfile#CURRENT}
 */
record ControllerOptions(
        int endpointSyncs,
        Duration endpointUpdatesBatchPeriod,
        int replicaSetSyncs,
        int replicationControllerSyncs,
        CompatibilityProfile rules) {

    /** The defaults of kube-controller-manager. */
    static final ControllerOptions DEFAULT =
            new ControllerOptions(5, Duration.ZERO, 5, 5, CompatibilityProfile.CURRENT);
}
