/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import java.time.Clock;
import java.util.function.Consumer;

/** The deployment controller of one process, and its caches. */
final class SimulatedDeploymentManager {

    final LaggingCache<Deployment> deployments = new LaggingCache<>();
    final LaggingCache<ReplicaSet> sets = new LaggingCache<>();
    final Consumer<ObjectName> sync;

    SimulatedDeploymentManager(SimulatedProcess process, Clock clock) {
        KubeClient client = process.client();
        WriteBarrier barrier = new WriteBarrier(clock, process.queue::add, resource -> {});
        DeploymentWrites writes = new DeploymentWrites(
                client,
                barrier.owners(ResourceTypes.DEPLOYMENTS, client, deployments),
                barrier.children(ResourceTypes.REPLICA_SETS, client.resource(ResourceTypes.REPLICA_SETS), sets, sets));
        LaggingCache<Pod> pods = new LaggingCache<>();
        sync = new DeploymentSync(
                deployments,
                new ReplicaSetClaims(client, sets.children(), pods, writes),
                writes,
                new FakeRecorder(),
                process.queue,
                clock)::syncDeployment;
        process.owners(ResourceTypes.DEPLOYMENTS, deployments);
        process.cache(
                ResourceTypes.REPLICA_SETS,
                sets,
                new DeploymentHandlers(deployments, sets, pods, process.queue).ofSets());
    }
}
