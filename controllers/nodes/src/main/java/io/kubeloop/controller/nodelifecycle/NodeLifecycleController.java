/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.eviction.PodsByNode;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Watches the health of nodes (upstream: {@code nodelifecycle.Controller}).
 *
 * <p>On each change of a node it sets {@code NoSchedule} taints by the node's conditions. In each monitor period it
 * looks at all nodes: a node that was not heard of for the grace period becomes Unknown, its pods not ready, and after
 * its turn in its zone it gets a {@code NoExecute} taint, by which the taint eviction controller removes its pods.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class NodeLifecycleController implements CompositeController {

    private static final String NAME = "node-lifecycle-controller";
    private static final String ACCOUNT = "node-controller";
    private static final int NODE_WORKERS = 8;
    private static final int POD_WORKERS = 4;

    private final RateLimitingQueue<Turn> turns;
    private final ControllerGroup loops;

    /** The work of the monitor's only worker. */
    private enum Turn {
        /** Looks at all nodes. */
        PASS,
        /** Taints nodes whose turn it is. */
        TAINT
    }

    private NodeLifecycleController(ControllerContext context, NodeLifecycleConfig config) {
        KubeClient client = context.clients().apply(ACCOUNT);
        SharedInformer<Node> nodes = context.informers().informer(ResourceTypes.NODES);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<Lease> leases = context.informers().informer(ResourceTypes.LEASES);
        EventRecorder events = context.recorders().apply(ACCOUNT);
        Clock clock = context.clock();
        NodeTaints taints = new NodeTaints(client.resource(ResourceTypes.NODES), clock);
        PodReadiness readiness = new PodReadiness(client.resource(ResourceTypes.PODS), events, clock);
        HealthRecords records = new HealthRecords(leases.lister(), client.resource(ResourceTypes.LEASES), config);
        Zones zones = new Zones(config, clock, context.metrics());
        NodeMonitor pass = new NodeMonitor(
                new NodeMonitor.Parts(
                        nodes.lister(),
                        PodsByNode.of(pods),
                        client.resource(ResourceTypes.NODES),
                        taints,
                        readiness,
                        events,
                        clock),
                records,
                zones,
                context.metrics());

        turns = WorkQueues.rateLimiting(context.queues().apply("node_lifecycle_monitor"));
        var monitor = new ControllerLoop<>(
                NAME,
                turns,
                turn -> run(turn, pass, zones, config),
                List.of(),
                List.of(nodes, leases),
                context.threads());
        ConditionTaints conditionTaints = new ConditionTaints(nodes.lister(), taints);
        RateLimitingQueue<ObjectName> nodeQueue =
                WorkQueues.rateLimiting(context.queues().apply("node_lifecycle_controller"));
        var changedNodes = new ControllerLoop<>(
                NAME + "-nodes",
                nodeQueue,
                conditionTaints::sync,
                List.of(nodes.addHandler(ResourceEventHandler.forKeys(NAME, nodeQueue::add))),
                context.threads());
        RateLimitingQueue<ObjectName> podQueue =
                WorkQueues.rateLimiting(context.queues().apply("node_lifecycle_controller_pods"));
        var newPods = new ControllerLoop<>(
                NAME + "-pods",
                podQueue,
                name -> markIfNodeFailed(pods.lister(), name, records, readiness),
                List.of(pods.addHandler(assignments(podQueue))),
                context.threads());
        loops = ControllerGroup.named(NAME)
                .with(monitor, 1)
                .with(changedNodes, NODE_WORKERS)
                .with(newPods, POD_WORKERS);
    }

    /** Creates the controller ({@code node-lifecycle-controller}), registered with its informers and not started. */
    public static NodeLifecycleController of(ControllerContext context, NodeLifecycleConfig config) {
        return new NodeLifecycleController(context, config);
    }

    private void run(Turn turn, NodeMonitor pass, Zones zones, NodeLifecycleConfig config) {
        if (turn == Turn.PASS) {
            pass.pass();
            turns.addAfter(Turn.PASS, config.monitorPeriod());
        }
        zones.queues().forEach(pass::taint);
        zones.queues().stream()
                .map(TaintQueue::untilNextTurn)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .ifPresent(wait -> turns.addAfter(Turn.TAINT, wait));
    }

    private static void markIfNodeFailed(
            Lister<Pod> pods, ObjectName name, HealthRecords records, PodReadiness readiness) {
        Pod pod = pods.get(name);
        if (pod != null && records.isNotReady(pod.spec().nodeName())) {
            readiness.markNotReady(List.of(pod));
        }
    }

    /** A pod that is first seen on its node may have been assigned after the node's failure. */
    private static ResourceEventHandler<Pod> assignments(RateLimitingQueue<ObjectName> queue) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod, boolean isInInitialList) {
                if (!pod.spec().nodeName().isEmpty()) {
                    queue.add(pod.objectName());
                }
            }

            @Override
            public void onUpdate(Pod old, Pod current) {
                if (!old.spec().nodeName().equals(current.spec().nodeName())) {
                    queue.add(current.objectName());
                }
            }

            @Override
            public String handlerName() {
                return NAME;
            }
        };
    }

    /** Starts the workers; their numbers are fixed. */
    @Override
    public void start(int workers) {
        loops.start(workers);
        turns.add(Turn.PASS);
    }

    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
