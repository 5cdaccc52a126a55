package io.kubeloop.app.manager;

import java.time.Duration;

/**
 * The options of single controllers, from the flags.
 *
 * @param endpointSyncs Services synced in parallel; default 5
 * @param endpointUpdatesBatchPeriod delay between a change of a pod and the sync of its Services, so that one sync
 *     covers several changes; default 0
 * @param deploymentSyncs Deployments synced in parallel; default 5
 * @param replicaSetSyncs ReplicaSets synced in parallel; default 5
 * @param replicationControllerSyncs ReplicationControllers synced in parallel; default 5
 * @param deletion the options of the controllers that delete objects
 * @param serviceAccounts the options of the controllers of service accounts
 * @param rules the release whose objects are written; default {@link CompatibilityProfile#CURRENT}
 */
record ControllerOptions(
        int endpointSyncs,
        Duration endpointUpdatesBatchPeriod,
        int deploymentSyncs,
        int replicaSetSyncs,
        int replicationControllerSyncs,
        DeletionFlags deletion,
        ServiceAccountFlags.Options serviceAccounts,
        CompatibilityProfile rules) {

    /** The defaults of kube-controller-manager. */
    static final ControllerOptions DEFAULT = new ControllerOptions(
            5,
            Duration.ZERO,
            5,
            5,
            5,
            new DeletionFlags(),
            ServiceAccountFlags.Options.DEFAULT,
            CompatibilityProfile.CURRENT);
}
