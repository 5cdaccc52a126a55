/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.expectations.ControllerExpectations;
import io.kubeloop.controller.expectations.UidTrackingControllerExpectations;
import io.kubeloop.controller.parallel.ParallelExecutor;
import io.kubeloop.controller.pods.PodCache;
import io.kubeloop.controller.pods.PodControl;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.util.List;

/**
 * Keeps the wanted number of pods running for each ReplicaSet or each ReplicationController (upstream:
 * {@code ReplicaSetController}, and {@code ReplicationManager} on top of it).
 *
 * <p>Promised: it never creates more pods than wanted, however far the cache lags behind, and it adopts and releases
 * pods only by their controller reference. Not promised: the order of deletion on a scale down, beyond {@link
 * io.kubeloop.controller.pods.ActivePodsWithRanks}.
 *
 * <p>Thread-safe. {@link #syncReplicaSet}, {@link #awaitTermination} and {@link #close} block.
 *
 * @param <T> the kind
 */
public final class ReplicaSetController<T extends KubeObject> implements CompositeController {

    // Threads: handlers run on the informers' threads, syncs on the loop's workers, parallel writes of pods on
    // `writes`. The parts that they share are thread-safe: queue, expectations, barrier, caches, client. Order of the
    // shutdown:
    // the handlers end, the queue accepts no more keys, the workers' syncs return, then the threads of `writes` end.

    private final ControllerGroup loops;
    private final ReplicaSetSync<T> sync;

    private ReplicaSetController(ReplicaKind<T> kind, ControllerContext context, ReplicaSetControllerConfig config) {
        KubeClient client = context.clients().apply(kind.component());
        SharedInformer<T> ownerInformer = context.informers().informer(kind.type());
        SharedInformer<Pod> podInformer = context.informers().informer(ResourceTypes.PODS);
        ReplicaSetSync.Caches<T> caches =
                new ReplicaSetSync.Caches<>(kind, ownerInformer.lister(), PodCache.indexed(podInformer));
        WorkQueueConfig queueConfig = context.queues().apply(kind.queueName());
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(queueConfig);
        Clock steady = ControllerTime.steady(queueConfig.scheduler());
        ControllerExpectations counts = new ControllerExpectations(steady);
        context.metrics().present(DeletionOrder.RATIO);
        context.metrics().expectations(kind.controllerName(), counts);
        UidTrackingControllerExpectations expectations = new UidTrackingControllerExpectations(counts);
        PerOwnerThrottle createFailures = new PerOwnerThrottle(config.statusInterval(), steady);
        WriteBarrier barrier = new WriteBarrier(
                steady, queue::add, resource -> context.metrics().staleSync("replicaset", resource));
        ParallelExecutor writes =
                new ParallelExecutor(kind.controllerName(), config.parallelWrites(), context.threads());
        OwnedPods<T> pods = new OwnedPods<>(
                caches,
                client,
                new PodControl(client, context.recorders().apply(kind.component())),
                barrier.children(ResourceTypes.PODS, client.resource(ResourceTypes.PODS), podInformer));
        sync = new ReplicaSetSync<>(
                caches,
                barrier,
                pods,
                new ReplicaManager<>(
                        caches,
                        pods,
                        expectations,
                        createFailures,
                        new DeletionOrder<>(caches, context.metrics(), context.clock()),
                        writes,
                        config.burstReplicas()),
                new StatusWriter<>(
                        kind, barrier.owners(kind.type(), client, ownerInformer), config.statusInterval(), steady),
                queue,
                context.clock());
        ReplicaSetHandlers<T> handlers = new ReplicaSetHandlers<>(caches, expectations, createFailures, queue);
        var loop = new ControllerLoop<>(
                kind.controllerName(),
                queue,
                sync::syncReplicaSet,
                List.of(
                        ownerInformer.addHandler(new OwnerEvents<>(handlers)),
                        podInformer.addHandler(new PodEvents(handlers))),
                context.threads());
        loops = ControllerGroup.named(kind.controllerName()).with(loop).with(writes);
    }

    /** Creates the controller of ReplicaSets ({@code replicaset}), registered with its informers and not started. */
    public static ReplicaSetController<ReplicaSet> ofReplicaSets(
            ControllerContext context, ReplicaSetControllerConfig config) {
        return new ReplicaSetController<>(new ReplicaSetKind(), context, config);
    }

    /** Creates the controller of ReplicationControllers ({@code replicationcontroller}), registered and not started. */
    public static ReplicaSetController<ReplicationController> ofReplicationControllers(
            ControllerContext context, ReplicaSetControllerConfig config) {
        return new ReplicaSetController<>(new ReplicationControllerKind(), context, config);
    }

    /**
     * Syncs one owner once. Workers and tests call this method. Two threads must not sync the same key at the same
     * time. Blocks until every write has its response.
     *
     * @throws RuntimeException the first failure; a later try may succeed
     */
    public void syncReplicaSet(ObjectName key) {
        sync.syncReplicaSet(key);
    }

    @Override
    public ControllerGroup loops() {
        return loops;
    }

    /** Passes the events of owners to the handlers. */
    record OwnerEvents<T extends KubeObject>(ReplicaSetHandlers<T> handlers) implements ResourceEventHandler<T> {

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

    /** Passes the events of pods to the handlers. */
    record PodEvents(ReplicaSetHandlers<?> handlers) implements ResourceEventHandler<Pod> {

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
}
