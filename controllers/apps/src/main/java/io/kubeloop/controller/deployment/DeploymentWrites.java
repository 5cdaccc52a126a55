/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentCondition;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.WriteBarrier;
import java.util.List;

/**
 * Writes deployments and ReplicaSets, and records each write in the barrier. A sync works with what its writes
 * returned, because the cache does not show them yet.
 *
 * <p>Thread-safe for different deployments. Every write blocks until the server responds.
 */
final class DeploymentWrites {

    private final ResourceClient<Deployment> deployments;
    private final ResourceClient<ReplicaSet> sets;
    private final WriteBarrier barrier;
    private final ChildWrites<ReplicaSet> children;

    /**
     * Creates the writer of a controller.
     *
     * @param barrier follows the cache of deployments
     * @param children writes ReplicaSets, and records them in the same barrier
     */
    DeploymentWrites(KubeClient client, WriteBarrier barrier, ChildWrites<ReplicaSet> children) {
        deployments = client.resource(ResourceTypes.DEPLOYMENTS);
        sets = client.resource(ResourceTypes.REPLICA_SETS);
        this.barrier = barrier;
        this.children = children;
    }

    /** Returns whether a sync must be put off; see {@link WriteBarrier#isBehind}. */
    boolean isBehind(ObjectName deployment) {
        return barrier.isBehind(deployment);
    }

    /** Returns the ReplicaSets that the deployment may claim; see {@link ChildWrites#latest}. */
    List<ReplicaSet> latest(Deployment owner, ChildIndex<ReplicaSet> cache) {
        return children.latest(owner, cache);
    }

    Deployment updateStatus(Deployment changed) {
        return barrier.wrote(changed.objectName(), ResourceTypes.DEPLOYMENTS, deployments.updateStatus(changed));
    }

    /** Writes these conditions; the other parts of the status stay. */
    Deployment updateConditions(Deployment deployment, List<DeploymentCondition> conditions) {
        return updateStatus(deployment.withStatus(DeploymentStatusBuilder.builder(deployment.status())
                .conditions(conditions)
                .build()));
    }

    Deployment update(Deployment changed) {
        return barrier.wrote(changed.objectName(), ResourceTypes.DEPLOYMENTS, deployments.update(changed));
    }

    ReplicaSet create(Deployment owner, ReplicaSet set) {
        return children.create(owner.objectName(), set);
    }

    ReplicaSet update(Deployment owner, ReplicaSet changed) {
        return children.update(owner.objectName(), changed);
    }

    void patch(Deployment owner, ReplicaSet set, Patch patch) {
        children.write(owner.objectName(), set, () -> sets.patch(set.objectName(), patch));
    }

    /** Reads a ReplicaSet from the server. */
    ReplicaSet read(Deployment owner, ObjectName set) {
        return children.read(owner.objectName(), set);
    }

    void delete(Deployment owner, ReplicaSet set) {
        children.delete(owner.objectName(), set, () -> sets.delete(set.objectName(), DeleteOptions.DEFAULT));
    }

    /** Drops the records of a deployment that no longer exists. */
    void forget(ObjectName deployment) {
        barrier.forget(deployment);
    }
}
