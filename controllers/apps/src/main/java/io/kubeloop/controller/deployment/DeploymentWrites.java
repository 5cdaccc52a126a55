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

    private final WriteBarrier.Owners<Deployment> deployments;
    private final ResourceClient<ReplicaSet> sets;
    private final ChildWrites<ReplicaSet> children;

    /**
     * Creates the writer of a controller.
     *
     * @param deployments writes deployments
     * @param children writes ReplicaSets, and records them in the same barrier
     */
    DeploymentWrites(KubeClient client, WriteBarrier.Owners<Deployment> deployments, ChildWrites<ReplicaSet> children) {
        this.deployments = deployments;
        sets = client.resource(ResourceTypes.REPLICA_SETS);
        this.children = children;
    }

    /** Returns the writer of deployments, which knows whether a sync must be put off. */
    WriteBarrier.Owners<Deployment> deployments() {
        return deployments;
    }

    /** Returns the ReplicaSets that the deployment may claim; see {@link ChildWrites#latest}. */
    List<ReplicaSet> latest(Deployment owner, ChildIndex<ReplicaSet> cache) {
        return children.latest(owner, cache);
    }

    /** Writes these conditions; the other parts of the status stay. */
    Deployment updateConditions(Deployment deployment, List<DeploymentCondition> conditions) {
        return deployments.updateStatus(deployment.withStatus(DeploymentStatusBuilder.builder(deployment.status())
                .conditions(conditions)
                .build()));
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
}
