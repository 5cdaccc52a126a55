package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentCondition;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.OwnedWrites;
import io.kubeloop.controller.RecentWrites;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Writes deployments and ReplicaSets, and keeps each written state until the cache has it. The next sync then acts on
 * its own writes, even if the cache lags behind.
 *
 * <p>Thread-safe for different deployments. Every write blocks until the server responds.
 */
final class DeploymentWrites {

    private final ResourceClient<Deployment> deployments;
    private final ResourceClient<ReplicaSet> sets;
    private final RecentWrites<Deployment> writtenDeployments;
    private final OwnedWrites<ReplicaSet> writtenSets;

    /** The UID of each deployment that was synced, by key: the next one of its name is another owner. */
    private final Map<ObjectName, String> owners = new ConcurrentHashMap<>();

    /** Creates the writer of a controller; the clock measures the age of written states. */
    DeploymentWrites(ResourceClient<Deployment> deployments, ResourceClient<ReplicaSet> sets, Clock steady) {
        this.deployments = deployments;
        this.sets = sets;
        writtenDeployments = new RecentWrites<>(steady);
        writtenSets = new OwnedWrites<>(sets, steady);
    }

    /** Returns the deployment as cached or, if that is newer, as last written. */
    Deployment latest(Deployment cached) {
        String uid = cached.metadata().uid();
        String before = owners.put(cached.objectName(), uid);
        if (before != null && !before.equals(uid)) {
            writtenSets.forget(before);
            writtenDeployments.forget(cached.objectName());
        }
        return writtenDeployments.latest(cached);
    }

    /** Returns the ReplicaSets of the deployment's namespace, as cached or as last written. */
    List<ReplicaSet> latest(Deployment owner, List<ReplicaSet> cached) {
        return writtenSets.latest(owner.metadata().uid(), owner.metadata().namespace(), cached);
    }

    Deployment updateStatus(Deployment changed) {
        return write(changed, deployments::updateStatus);
    }

    /** Writes these conditions; the other parts of the status stay. */
    Deployment updateConditions(Deployment deployment, List<DeploymentCondition> conditions) {
        return updateStatus(deployment.withStatus(DeploymentStatusBuilder.builder(deployment.status())
                .conditions(conditions)
                .build()));
    }

    Deployment update(Deployment changed) {
        return write(changed, deployments::update);
    }

    private Deployment write(Deployment changed, UnaryOperator<Deployment> send) {
        RecentWrites.Entry<Deployment> begun = writtenDeployments.begin(changed.objectName());
        try {
            Deployment result = send.apply(changed);
            writtenDeployments.done(begun, changed.metadata().resourceVersion(), result);
            return result;
        } catch (RuntimeException e) {
            writtenDeployments.forget(changed.objectName());
            throw e;
        }
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

    /** Returns whether the deployment must be synced again, even if no event comes; see {@link OwnedWrites#isAheadOfCache}. */
    boolean isAheadOfCache(Deployment owner) {
        return writtenSets.isAheadOfCache(owner.metadata().uid());
    }

    /** Drops the records of a deployment that no longer exists. */
    void forget(ObjectName deployment) {
        writtenDeployments.forget(deployment);
        String uid = owners.remove(deployment);
        if (uid != null) {
            writtenSets.forget(uid);
        }
    }
}
