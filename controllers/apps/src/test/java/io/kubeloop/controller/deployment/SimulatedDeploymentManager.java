package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.leaderelection.LeaderTransport;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.LateHandler;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.controller.simulation.UnreliableNetwork;
import io.kubeloop.json.JsonCodec;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** One process that runs the deployment controller, for one thread: its caches lag and its network fails. */
final class SimulatedDeploymentManager {

    final LaggingCache<Deployment> deployments = new LaggingCache<>();
    final LaggingCache<ReplicaSet> sets = new LaggingCache<>();
    final SimulatedQueue<ObjectName> queue;
    final UnreliableNetwork network;
    final LateHandler<Deployment> deploymentEvents;
    final LateHandler<ReplicaSet> setEvents;
    private final DeploymentSync sync;

    SimulatedDeploymentManager(
            Transport server,
            Clock clock,
            Random random,
            Predicate<SimulatedDeploymentManager> isLeading,
            Consumer<ApiRequest> beforeWrite,
            Consumer<ApiRequest> afterWrite) {
        queue = new SimulatedQueue<>(clock);
        // As in production, leadership is checked before a write waits, and again when it is sent.
        BooleanSupplier leading = () -> isLeading.test(this);
        network = new UnreliableNetwork(new LeaderTransport(server, leading), random, beforeWrite, afterWrite);
        KubeClient client = KubeClient.of(new LeaderTransport(network, leading), JsonCodec.standard());
        DeploymentWrites writes = new DeploymentWrites(
                client.resource(ResourceTypes.DEPLOYMENTS), client.resource(ResourceTypes.REPLICA_SETS), clock);
        LaggingCache<Pod> pods = new LaggingCache<>();
        sync = new DeploymentSync(
                deployments,
                new ReplicaSetClaims(client, sets, pods, writes),
                writes,
                new FakeRecorder(),
                queue,
                clock);
        DeploymentHandlers handlers = new DeploymentHandlers(deployments, sets, pods, queue);
        deploymentEvents = new LateHandler<>(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Deployment added, boolean isInInitialList) {
                queue.add(added.objectName());
            }

            @Override
            public void onUpdate(Deployment old, Deployment current) {
                queue.add(current.objectName());
            }
        });
        setEvents = new LateHandler<>(handlers.ofSets());
    }

    /** Fills the caches, as a new leader does; its handlers receive the initial lists before it works. */
    void start(List<Deployment> deploymentsListed, List<ReplicaSet> setsListed) {
        deployments.start(deploymentsListed, deploymentEvents);
        deploymentEvents.tellAll();
        sets.start(setsListed, setEvents);
        setEvents.tellAll();
    }

    /** Takes a key from the queue and syncs it; returns what came of it, or an empty text if no key was due. */
    String processNextWorkItem() {
        return queue.process(sync::syncDeployment);
    }
}
