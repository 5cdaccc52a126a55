package io.kubeloop.controller.deployment;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentCondition;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.RecentWrites;
import java.time.Clock;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes deployments and ReplicaSets, and remembers what it wrote until the cache shows it. The next sync then acts on its
 * own writes, even if the cache lags behind.
 *
 * <p>Thread-safe for different deployments. Every write blocks until the server responds.
 */
final class DeploymentWrites {

    private final ResourceClient<Deployment> deployments;
    private final ResourceClient<ReplicaSet> sets;
    private final RecentWrites<Deployment> writtenDeployments;
    private final RecentWrites<ReplicaSet> writtenSets;

    /** Creates the writes of a controller; the clock measures the age of what it wrote. */
    DeploymentWrites(ResourceClient<Deployment> deployments, ResourceClient<ReplicaSet> sets, Clock steady) {
        this.deployments = deployments;
        this.sets = sets;
        writtenDeployments = new RecentWrites<>(steady);
        writtenSets = new RecentWrites<>(steady);
    }

    Deployment latest(Deployment cached) {
        return writtenDeployments.latest(cached);
    }

    ReplicaSet latest(ReplicaSet cached) {
        return writtenSets.latest(cached);
    }

    /** Returns the ReplicaSet of a name if it was written and the cache does not show it; else null. */
    @Nullable
    ReplicaSet unseenSet(ObjectName name) {
        return writtenSets.latest(name, null);
    }

    /** Reads a ReplicaSet from the server. */
    ReplicaSet readSet(ObjectName name) {
        return sets.get(name);
    }

    Deployment updateStatus(Deployment changed) {
        return write(writtenDeployments, changed, deployments::updateStatus);
    }

    /** Writes these conditions; the other parts of the status stay. */
    Deployment updateConditions(Deployment deployment, List<DeploymentCondition> conditions) {
        return updateStatus(deployment.withStatus(DeploymentStatusBuilder.builder(deployment.status())
                .conditions(conditions)
                .build()));
    }

    Deployment update(Deployment changed) {
        return write(writtenDeployments, changed, deployments::update);
    }

    ReplicaSet create(ReplicaSet set) {
        return write(writtenSets, set, sets::create);
    }

    ReplicaSet update(ReplicaSet changed) {
        return write(writtenSets, changed, sets::update);
    }

    void delete(ReplicaSet set) {
        writtenSets.forget(set.objectName());
        sets.delete(set.objectName(), DeleteOptions.DEFAULT);
    }

    void forget(ObjectName deployment) {
        writtenDeployments.forget(deployment);
        writtenSets.forgetExpired();
    }

    private static <T extends KubeObject> T write(RecentWrites<T> written, T changed, UnaryOperator<T> send) {
        RecentWrites.Entry<T> begun = written.begin(changed.objectName());
        try {
            T result = send.apply(changed);
            written.done(begun, changed.metadata().resourceVersion(), result);
            return result;
        } catch (RuntimeException e) {
            written.forget(changed.objectName());
            throw e;
        }
    }
}
