package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.ControllerExpectations;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.PodCache;
import io.kubeloop.controller.PodControl;
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

/** A process that runs the controller: its caches and handlers, its queue, and its way to the server while it leads. */
final class SimulatedReplicaManager<T extends KubeObject> {

    final LaggingCache<T> owners = new LaggingCache<>();
    final LaggingCache<Pod> pods = new LaggingCache<>();
    final LateHandler<T> ownerEvents = new LateHandler<>(new OwnerEvents());
    final LateHandler<Pod> podEvents = new LateHandler<>(new PodEvents());
    final SimulatedQueue<ObjectName> queue;
    final UnreliableNetwork network;
    private final ReplicaSetHandlers<T> handlers;
    private final ReplicaSetSync<T> sync;

    /**
     * Creates a process with empty caches.
     *
     * @param isLeading checked before each write
     * @param beforeWrite see {@link UnreliableNetwork}
     * @param afterWrite see there
     */
    SimulatedReplicaManager(
            ReplicaKind<T> kind,
            Transport server,
            Clock clock,
            Random random,
            Predicate<SimulatedReplicaManager<T>> isLeading,
            Consumer<ApiRequest> beforeWrite,
            Consumer<ApiRequest> afterWrite) {
        queue = new SimulatedQueue<>(clock);
        // As in production, leadership is checked before a write waits, and again when it is sent.
        BooleanSupplier leading = () -> isLeading.test(this);
        network = new UnreliableNetwork(new LeaderTransport(server, leading), random, beforeWrite, afterWrite);
        KubeClient client = KubeClient.of(new LeaderTransport(network, leading), JsonCodec.standard());
        PodControl podControl = new PodControl(client, new FakeRecorder());
        OwnerTracking tracking = OwnerTracking.of(
                new ControllerExpectations(clock),
                ReplicaSetControllerConfig.DEFAULT.statusInterval(),
                clock,
                resource -> {});
        ReplicaCaches<T> caches = new ReplicaCaches<>(kind, owners, PodCache.of(pods), new LivePods(client));
        handlers = new ReplicaSetHandlers<>(caches, tracking, queue);
        ReplicaManager<T> replicas = new ReplicaManager<>(
                caches, tracking, podControl, new DeletionAges(ControllerMetrics.NONE, clock), Runnable::run, 500);
        sync = new ReplicaSetSync<>(
                caches,
                tracking,
                new PodClaims(client, podControl, clock),
                replicas,
                new StatusWriter<>(
                        kind, client.resource(kind.type()), ReplicaSetControllerConfig.DEFAULT.statusInterval(), clock),
                queue,
                clock);
    }

    /** Fills the caches, as a new leader does; its handlers receive the initial lists before it works. */
    void start(List<T> ownersListed, List<Pod> podsListed) {
        owners.start(ownersListed, ownerEvents);
        ownerEvents.tellAll();
        pods.start(podsListed, podEvents);
        podEvents.tellAll();
    }

    private final class OwnerEvents implements ResourceEventHandler<T> {

        @Override
        public void onAdd(T owner, boolean isInInitialList) {
            handlers.addRS(owner);
        }

        @Override
        public void onUpdate(T old, T current) {
            handlers.updateRS(old, current);
        }

        @Override
        public void onDelete(DeletedObject<T> deleted) {
            handlers.deleteRS(deleted);
        }
    }

    private final class PodEvents implements ResourceEventHandler<Pod> {

        @Override
        public void onAdd(Pod pod, boolean isInInitialList) {
            handlers.addPod(pod, isInInitialList);
        }

        @Override
        public void onUpdate(Pod old, Pod current) {
            handlers.updatePod(old, current);
        }

        @Override
        public void onDelete(DeletedObject<Pod> deleted) {
            handlers.deletePod(deleted);
        }
    }

    /** Takes a key from the queue and syncs it; returns what came of it, or an empty text if no key was due. */
    String processNextWorkItem() {
        return queue.process(sync::syncReplicaSet);
    }
}
