/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ChildEvents;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.history.RevisionHistory;
import io.kubeloop.controller.parallel.ParallelExecutor;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.util.List;

/**
 * Runs StatefulSets: it keeps one pod for each ordinal, with a name and claims that outlive the pod (upstream: {@code
 * StatefulSetController}).
 *
 * <p>Promised: two pods of an ordinal never exist at the same time. With ordered pod management a pod is created only
 * after all pods before it are available, and deleted only after all pods behind it have gone, as far as the controller
 * knows.
 *
 * <p>Thread-safe. {@link #syncStatefulSet}, {@link #awaitTermination} and {@link #close} block.
 */
public final class StatefulSetController implements CompositeController {

    // Threads: handlers run on the informers' threads, syncs on the loop's workers, steps of parallel pod management on
    // `executor`. The parts that they share are thread-safe: queue, barrier, caches, client.

    private static final String NAME = "statefulset";
    private static final String COMPONENT = "statefulset-controller";

    /** The largest number of parallel writes of one set, and of all sets. */
    private static final int PARALLEL_WRITES = 32;

    private final ControllerGroup loops;
    private final StatefulSetSync sync;

    private StatefulSetController(ControllerContext context) {
        KubeClient client = context.clients().apply(COMPONENT);
        SharedInformer<StatefulSet> sets = context.informers().informer(ResourceTypes.STATEFUL_SETS);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<PersistentVolumeClaim> claims =
                context.informers().informer(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        SharedInformer<ControllerRevision> revisions = context.informers().informer(ResourceTypes.CONTROLLER_REVISIONS);
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(queueConfig);
        EventRecorder events = context.recorders().apply(COMPONENT);
        Clock steady = ControllerTime.steady(queueConfig.scheduler());
        WriteBarrier barrier = new WriteBarrier(
                        steady, queue::add, resource -> context.metrics().staleSync(NAME, resource))
                .follow(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claims);
        ChildWrites<Pod> podWrites = barrier.children(ResourceTypes.PODS, client.resource(ResourceTypes.PODS), pods);
        ParallelExecutor executor = new ParallelExecutor(NAME, PARALLEL_WRITES, context.threads());
        RevisionHistory<StatefulSet> history = new RevisionHistory<>(
                ResourceTypes.STATEFUL_SETS,
                client,
                ChildIndex.of(revisions),
                barrier.children(
                        ResourceTypes.CONTROLLER_REVISIONS,
                        client.resource(ResourceTypes.CONTROLLER_REVISIONS),
                        revisions));
        VolumeClaims volumeClaims = new VolumeClaims(
                client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS), claims.lister(), events, barrier);
        sync = new StatefulSetSync(
                sets.lister(),
                barrier.owners(ResourceTypes.STATEFUL_SETS, client, sets),
                new PodClaimant(client, ChildIndex.of(pods), podWrites),
                history,
                new StatefulPodControl(
                        client.resource(ResourceTypes.PODS),
                        podWrites,
                        volumeClaims,
                        events,
                        executor,
                        context.metrics()),
                queue,
                context.clock());
        var loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncStatefulSet,
                List.of(
                        sets.addHandler(ResourceEventHandler.forKeys(NAME, queue::add)),
                        pods.addHandler(new ChildEvents<>(
                                ResourceTypes.STATEFUL_SETS,
                                sets.lister(),
                                set -> set.spec().selector(),
                                queue,
                                sync::podUpdated)),
                        // Brings back a set that waits until the cache shows the end of a revision.
                        revisions.addHandler(new ChildEvents<>(
                                ResourceTypes.STATEFUL_SETS,
                                sets.lister(),
                                set -> set.spec().selector(),
                                queue,
                                (owner, old, current) -> {}))),
                List.of(claims),
                context.threads());
        loops = ControllerGroup.named(NAME).with(loop).with(executor);
    }

    /** Creates the controller ({@code statefulset}), registered with its informers and not started. */
    public static StatefulSetController of(ControllerContext context) {
        return new StatefulSetController(context);
    }

    /**
     * Syncs one set once. For workers and tests; two threads must not sync the same key at a time. Blocks until every
     * write has its response.
     *
     * @throws RuntimeException the first failure; a later try may succeed
     */
    public void syncStatefulSet(ObjectName key) {
        sync.syncStatefulSet(key);
    }

    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
