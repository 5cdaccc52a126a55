/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentCondition;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.ChildWriteOverlay;
import io.kubeloop.controller.RecentWrites;
import java.time.Clock;
import java.util.List;

/**
 * Writes deployments and ReplicaSets, and keeps each written state until the cache has it. The next sync then acts on
 * its own writes, even if the cache lags behind.
 *
 * <p>Thread-safe for different deployments. Every write blocks until the server responds.
 */
final class DeploymentWrites {

    private final ResourceClient<ReplicaSet> sets;
    private final RecentWrites<Deployment> writtenDeployments;
    private final ChildWriteOverlay<ReplicaSet> writtenSets;

    /** Creates the writer of a controller; the clock measures the age of written states. */
    DeploymentWrites(ResourceClient<Deployment> deployments, ResourceClient<ReplicaSet> sets, Clock steady) {
        this.sets = sets;
        writtenSets = new ChildWriteOverlay<>(sets, steady);
        writtenDeployments = RecentWrites.ofOwners(deployments, steady, writtenSets::forget, () -> {});
    }

    /** Returns the deployment as cached or, if that is newer, as last written. */
    Deployment latest(Deployment cached) {
        return writtenDeployments.latest(cached);
    }

    /** Returns the ReplicaSets of the deployment's namespace, as cached or as last written. */
    List<ReplicaSet> latest(Deployment owner, List<ReplicaSet> cached) {
        return writtenSets.latest(owner.metadata().uid(), owner.metadata().namespace(), cached);
    }

    Deployment updateStatus(Deployment changed) {
        return writtenDeployments.updateStatus(changed);
    }

    /** Writes these conditions; the other parts of the status stay. */
    Deployment updateConditions(Deployment deployment, List<DeploymentCondition> conditions) {
        return updateStatus(deployment.withStatus(DeploymentStatusBuilder.builder(deployment.status())
                .conditions(conditions)
                .build()));
    }

    Deployment update(Deployment changed) {
        return writtenDeployments.update(changed);
    }

    ReplicaSet create(Deployment owner, ReplicaSet set) {
        return writtenSets.create(owner.metadata().uid(), set);
    }

    ReplicaSet update(Deployment owner, ReplicaSet changed) {
        return writtenSets.update(owner.metadata().uid(), changed);
    }

    void patch(Deployment owner, ReplicaSet set, Patch patch) {
        writtenSets.write(owner.metadata().uid(), set, () -> sets.patch(set.objectName(), patch));
    }

    /** Reads a ReplicaSet from the server. */
    ReplicaSet read(Deployment owner, ObjectName set) {
        return writtenSets.read(owner.metadata().uid(), set);
    }

    void delete(ReplicaSet set) {
        sets.delete(set.objectName(), DeleteOptions.DEFAULT);
    }

    /**
     * Returns whether the deployment must be synced again, even if no event comes; see {@link
     * ChildWriteOverlay#isAheadOfCache}.
     */
    boolean isAheadOfCache(Deployment owner) {
        return writtenSets.isAheadOfCache(owner.metadata().uid());
    }

    /** Drops the records of a deployment that no longer exists. */
    void forget(ObjectName deployment) {
        writtenDeployments.forget(deployment);
    }
}
