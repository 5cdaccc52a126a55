package io.kubeloop.app;

import io.kubeloop.controller.endpoint.EndpointRules;
import java.time.Duration;

/**
 * What the flags say about single controllers.
 *
 * @param endpointSyncs Services worked on side by side; default 5
 * @param endpointUpdatesBatchPeriod how long changes of pods are gathered before Endpoints are written; default 0
 * @param endpointRules what is done where releases disagree on Endpoints; default {@link EndpointRules#DEFAULT}
 * @param replicaSetSyncs ReplicaSets worked on side by side; default 5
 * @param replicationControllerSyncs ReplicationControllers worked on side by side; default 5
 */
record ControllerOptions(
        int endpointSyncs,
        Duration endpointUpdatesBatchPeriod,
        EndpointRules endpointRules,
        int replicaSetSyncs,
        int replicationControllerSyncs) {

    /** The defaults of kube-controller-manager. */
    static final ControllerOptions DEFAULT = new ControllerOptions(5, Duration.ZERO, EndpointRules.DEFAULT, 5, 5);
}
