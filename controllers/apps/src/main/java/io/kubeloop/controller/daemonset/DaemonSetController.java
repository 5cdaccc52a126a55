/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ChildEvents;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.eviction.PodsByNode;
import io.kubeloop.controller.history.RevisionHistory;
import io.kubeloop.controller.parallel.ParallelExecutor;
import io.kubeloop.controller.pods.PodControl;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.util.List;

/**
 * Runs DaemonSets: it keeps one pod on each fitting node, and replaces old pods node by node (upstream: {@code
 * DaemonSetsController}).
 *
 * <p>Promised: a node never gets a second pod of a set, except during a rolling update with a surge. A rolling update
 * takes no available pod away beyond {@code maxUnavailable}, as far as the controller knows.
 *
 * <p>Thread-safe. {@link #syncDaemonSet}, {@link #awaitTermination} and {@link #close} block.
 */
public final class DaemonSetController implements CompositeController {

    // Threads: handlers run on the informers' threads, syncs on the workers of two loops: one for sets, one for changed
    // nodes. Parallel writes run on `executor`. The parts that they share are thread-safe: queues, backoff, barrier,
    // caches, client. Both loops end before the executor.

    private static final String NAME = "daemonset";
    private static final String COMPONENT = "daemonset-controller";

    /** The name of the account, which differs from the component of the events. */
    private static final String ACCOUNT = "daemon-set-controller";

    /** The largest number of parallel writes of all sets. */
    private static final int PARALLEL_WRITES = 32;

    private final ControllerGroup loops;
    private final DaemonSetSync sync;

    private DaemonSetController(ControllerContext context) {
        KubeClient client = context.clients().apply(ACCOUNT);
        SharedInformer<DaemonSet> sets = context.informers().informer(ResourceTypes.DAEMON_SETS);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<Node> nodes = context.informers().informer(ResourceTypes.NODES);
        SharedInformer<ControllerRevision> revisions = context.informers().informer(ResourceTypes.CONTROLLER_REVISIONS);
        PodsByNode podsByNode = PodsByNode.of(pods);
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(queueConfig);
        RateLimitingQueue<ObjectName> changedNodes =
                WorkQueues.rateLimiting(context.queues().apply(NAME + "-node-updates"));
        EventRecorder events = context.recorders().apply(COMPONENT);
        Clock steady = ControllerTime.steady(queueConfig.scheduler());
        ParallelExecutor executor = new ParallelExecutor(NAME, PARALLEL_WRITES, context.threads());
        WriteBarrier barrier = new WriteBarrier(
                steady, queue::add, resource -> context.metrics().staleSync(NAME, resource));
        DaemonPodControl control = new DaemonPodControl(
                client,
                ChildIndex.of(pods),
                barrier.children(ResourceTypes.PODS, client.resource(ResourceTypes.PODS), pods),
                new PodControl(client, events),
                executor);
        RevisionHistory<DaemonSet> history = new RevisionHistory<>(
                ResourceTypes.DAEMON_SETS,
                client,
                ChildIndex.of(revisions),
                barrier.children(
                        ResourceTypes.CONTROLLER_REVISIONS,
                        client.resource(ResourceTypes.CONTROLLER_REVISIONS),
                        revisions));
        WriteBarrier.Owners<DaemonSet> owners = barrier.owners(ResourceTypes.DAEMON_SETS, client, sets);
        DaemonSetSync.Caches caches = new DaemonSetSync.Caches(sets.lister(), nodes.lister());
        sync = new DaemonSetSync(
                caches,
                owners,
                new DaemonHistory(history, owners, control),
                control,
                new NodePods(new FailedPodBackoff(steady), events),
                queue,
                context.clock());
        NodeChanges changes = new NodeChanges(caches, podsByNode::on, changedNodes, queue);
        var loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncDaemonSet,
                List.of(
                        sets.addHandler(ResourceEventHandler.forKeys(NAME, queue::add)),
                        pods.addHandler(new ChildEvents<>(
                                ResourceTypes.DAEMON_SETS,
                                sets.lister(),
                                set -> set.spec().selector(),
                                queue,
                                sync::podUpdated)),
                        revisions.addHandler(new ChildEvents<>(
                                ResourceTypes.DAEMON_SETS,
                                sets.lister(),
                                set -> set.spec().selector(),
                                queue,
                                (owner, old, current) -> {}))),
                List.of(nodes),
                context.threads());
        var nodeLoop = new ControllerLoop<>(
                NAME + "-node-updates",
                changedNodes,
                changes::syncNode,
                List.of(nodes.addHandler(changes.handler())),
                List.of(sets, pods),
                context.threads());
        loops = ControllerGroup.named(NAME).with(nodeLoop).with(loop).with(executor);
    }

    /** Creates the controller ({@code daemonset}), registered with its informers and not started. */
    public static DaemonSetController of(ControllerContext context) {
        return new DaemonSetController(context);
    }

    /**
     * Syncs one set once. For workers and tests; two threads must not sync the same key at a time. Blocks until every
     * write has its response.
     *
     * @throws RuntimeException the first failure; a later try may succeed
     */
    public void syncDaemonSet(ObjectName key) {
        sync.syncDaemonSet(key);
    }

    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
