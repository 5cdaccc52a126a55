/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import java.util.List;

/**
 * The ReplicaSets of a deployment and their pods (upstream: {@code getReplicaSetsForDeployment}). Thread-safe for
 * different deployments; {@link #claim} blocks while it adopts and releases.
 */
final class ReplicaSetClaims {

    private final KubeClient client;
    private final ChildIndex<ReplicaSet> sets;
    private final Lister<Pod> pods;
    private final DeploymentWrites writes;

    ReplicaSetClaims(KubeClient client, ChildIndex<ReplicaSet> sets, Lister<Pod> pods, DeploymentWrites writes) {
        this.client = client;
        this.sets = sets;
        this.pods = pods;
        this.writes = writes;
    }

    /** Adopts and releases ReplicaSets, and returns those that the deployment controls afterwards. */
    List<ReplicaSet> claim(Deployment deployment, Selector selector) {
        return new ControllerRefManager<ReplicaSet>(
                        ResourceTypes.DEPLOYMENTS,
                        deployment,
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, ResourceTypes.DEPLOYMENTS, deployment),
                        "ReplicaSet",
                        (set, patch) -> writes.patch(deployment, set, patch))
                .claim(writes.latest(deployment, sets));
    }

    /** Returns the pods of these ReplicaSets that have not ended (upstream: {@code getPodMapForDeployment}). */
    List<Pod> runningPods(Deployment deployment, Selector selector, List<ReplicaSet> owners) {
        List<String> uids = owners.stream().map(set -> set.metadata().uid()).toList();
        return pods.list(deployment.metadata().namespace(), pod -> isRunning(pod, selector, uids));
    }

    private static boolean isRunning(Pod pod, Selector selector, List<String> owners) {
        ObjectMeta metadata = pod.metadata();
        OwnerReference owner = metadata.controller();
        String phase = pod.status().phase();
        return owner != null
                && owners.contains(owner.uid())
                && selector.matches(metadata.labels())
                && !phase.equals("Failed")
                && !phase.equals("Succeeded");
    }
}
