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
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.ParallelExecutor;
import io.kubeloop.controller.PodControl;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps as many pods running as each object of one kind asks for: ReplicaSets, or ReplicationControllers (upstream:
 * {@code ReplicaSetController}, and {@code ReplicationManager} on top of it).
 *
 * <p>Promises: never more pods created than asked for, however far the cache lags behind (I9); pods are adopted and released
 * by their controller reference alone. Not promised: which pods go first on a scale down, beyond the order that
 * {@link io.kubeloop.controller.ActivePodsWithRanks} gives.
 *
 * <p>Thread-safe.
 *
 * @param <T> the kind
 */
public final class ReplicaSetController<T extends KubeObject> implements Controller {

    // Made of parts that know nothing of threads: handlers run on the informers' threads, sync on the loop's workers,
    // writes of pods side by side on `writes`. What they share is thread-safe: queue, expectations, caches, client.
    // Order of the end: no more handlers, no more keys, the workers' syncs return, then the writes' threads go (I12).

    private final ControllerLoop<ObjectName> loop;
    private final ReplicaSetSync<T> sync;
    private final ParallelExecutor writes;

    private ReplicaSetController(ReplicaKind<T> kind, ControllerContext context, ReplicaSetControllerConfig config) {
        KubeClient client = context.clients().apply(kind.component());
        SharedInformer<T> ownerInformer = context.informers().informer(kind.type());
        SharedInformer<Pod> podInformer = context.informers().informer(ResourceTypes.PODS);
        ReplicaCaches<T> caches = new ReplicaCaches<>(
                kind, ownerInformer.lister(), new IndexedPodCache(podInformer), new LivePods(client));
        WorkQueueConfig queueConfig = context.queues().apply(kind.controllerName());
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(queueConfig);
        Clock steady = ControllerTime.steady(queueConfig.clock());
        OwnerTracking tracking = OwnerTracking.of(config.statusInterval(), steady);
        PodControl podControl = new PodControl(client, context.recorders().apply(kind.component()));
        writes = new ParallelExecutor(kind.controllerName(), config.parallelWrites(), context.threads());
        ReplicaManager<T> replicas = new ReplicaManager<>(
                caches,
                tracking,
                podControl,
                DeletionOrder.of(config.logarithmicScaleDown(), context.clock()),
                writes,
                config.burstReplicas());
        sync = new ReplicaSetSync<>(
                caches,
                tracking,
                new PodClaims(client, podControl, steady),
                replicas,
                new StatusWriter<>(kind, client.resource(kind.type()), config.statusInterval(), steady),
                queue,
                context.clock());
        ReplicaSetHandlers<T> handlers = new ReplicaSetHandlers<>(caches, tracking, queue);
        loop = new ControllerLoop<>(
                kind.controllerName(),
                queue,
                sync::syncReplicaSet,
                List.of(
                        ownerInformer.addHandler(new OwnerEvents<>(handlers)),
                        podInformer.addHandler(new PodEvents(handlers))),
                context.threads());
    }

    /** Makes the controller of ReplicaSets ({@code replicaset}). It registers with the informers; start it to run. */
    public static ReplicaSetController<ReplicaSet> ofReplicaSets(
            ControllerContext context, ReplicaSetControllerConfig config) {
        return new ReplicaSetController<>(new ReplicaSetKind(config.terminatingReplicas()), context, config);
    }

    /** Makes the controller of ReplicationControllers ({@code replicationcontroller}). Start it to run. */
    public static ReplicaSetController<ReplicationController> ofReplicationControllers(
            ControllerContext context, ReplicaSetControllerConfig config) {
        return new ReplicaSetController<>(new ReplicationControllerKind(), context, config);
    }

    /**
     * Looks at one object and does what is needed, once. For workers and tests; never for one key on two threads at a time.
     * Blocks.
     *
     * @throws RuntimeException the first failure; trying again later may help
     */
    public void syncReplicaSet(ObjectName key) {
        sync.syncReplicaSet(key);
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start(int workers) {
        loop.start(workers);
    }

    @Override
    public void shutDown() {
        loop.shutDown();
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        boolean ended = loop.awaitTermination(timeout);
        return writes.close(Duration.ofNanos(deadline - System.nanoTime())) && ended;
    }

    private record OwnerEvents<T extends KubeObject>(ReplicaSetHandlers<T> handlers)
            implements ResourceEventHandler<T> {

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

    private record PodEvents(ReplicaSetHandlers<?> handlers) implements ResourceEventHandler<Pod> {

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
