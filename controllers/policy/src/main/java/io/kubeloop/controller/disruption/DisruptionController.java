/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.policy.PodDisruptionBudget;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;

/**
 * Computes how many pods of each PodDisruptionBudget may be evicted now (upstream: {@code DisruptionController}). The
 * API server allows an eviction only while this number is above 0, and lowers it at once.
 *
 * <p>Promised: if the number cannot be computed, it becomes 0.
 *
 * <p>Thread-safe. {@link #syncBudget}, {@link #awaitTermination} and {@link #close} block.
 */
public final class DisruptionController implements CompositeController {

    // Threads: handlers run on the informers' threads; one worker syncs budgets, another resets conditions. They
    // share queues and caches, which are thread-safe.

    private static final String NAME = "disruption";
    private static final String COMPONENT = "controllermanager";
    private static final String CLIENT = "disruption-controller";

    private final BudgetSync sync;
    private final ControllerGroup loops;

    private DisruptionController(ControllerContext context) {
        KubeClient client = context.clients().apply(CLIENT);
        SharedInformerFactory informers = context.informers();
        SharedInformer<PodDisruptionBudget> budgets = informers.informer(ResourceTypes.POD_DISRUPTION_BUDGETS);
        SharedInformer<Pod> pods = informers.informer(ResourceTypes.PODS);
        var replicationControllers = informers.informer(ResourceTypes.REPLICATION_CONTROLLERS);
        var replicaSets = informers.informer(ResourceTypes.REPLICA_SETS);
        var deployments = informers.informer(ResourceTypes.DEPLOYMENTS);
        var statefulSets = informers.informer(ResourceTypes.STATEFUL_SETS);
        DisruptionCaches caches = new DisruptionCaches(
                budgets.lister(),
                pods.lister(),
                replicationControllers.lister(),
                replicaSets.lister(),
                deployments.lister(),
                statefulSets.lister());
        EventRecorder events = context.recorders().apply(COMPONENT);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(NAME));
        RateLimitingQueue<ObjectName> staleQueue =
                WorkQueues.rateLimiting(context.queues().apply("stale_pod_disruption"));
        sync = new BudgetSync(
                caches,
                new ExpectedPods(caches, new ScaleClient(client.transport())),
                client.resource(ResourceTypes.POD_DISRUPTION_BUDGETS),
                events,
                queue,
                context.clock());
        StaleDisruptions stale =
                new StaleDisruptions(pods.lister(), client.resource(ResourceTypes.PODS), staleQueue, context.clock());
        var podHandler = pods.addHandler(new PodHandler(budgets.lister(), events, queue, stale));
        var loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::sync,
                List.of(budgets.addHandler(ResourceEventHandler.forKeys(NAME, queue::add)), podHandler),
                List.of(replicationControllers, replicaSets, deployments, statefulSets),
                context.threads());
        var staleLoop = new ControllerLoop<>(
                "stale-pod-disruption", staleQueue, stale::sync, List.of(podHandler), context.threads());
        loops = ControllerGroup.named(NAME).with(loop).with(staleLoop, 1);
    }

    /** Creates the controller ({@code disruption-controller}), registered with its informers and not started. */
    public static DisruptionController of(ControllerContext context) {
        return new DisruptionController(context);
    }

    /** Queues the budget of each pod that changes, and pods with a condition that can become stale. */
    record PodHandler(
            Lister<PodDisruptionBudget> budgets,
            EventRecorder events,
            RateLimitingQueue<ObjectName> queue,
            StaleDisruptions stale)
            implements ResourceEventHandler<Pod> {

        @Override
        public void onAdd(Pod pod, boolean isInInitialList) {
            changed(pod);
        }

        @Override
        public void onUpdate(Pod before, Pod after) {
            changed(after);
        }

        private void changed(Pod pod) {
            queueBudget(pod);
            stale.observe(pod);
        }

        @Override
        public void onDelete(DeletedObject<Pod> deleted) {
            Pod last = deleted.lastKnown();
            if (last != null) {
                queueBudget(last);
            }
        }

        private void queueBudget(Pod pod) {
            List<PodDisruptionBudget> matching =
                    budgets.list(pod.metadata().namespace(), budget -> selects(budget, pod));
            if (matching.isEmpty()) {
                return;
            }
            PodDisruptionBudget first = matching.get(0);
            if (matching.size() > 1) {
                events.event(
                        ResourceTypes.PODS,
                        pod,
                        EventType.WARNING,
                        "MultiplePodDisruptionBudgets",
                        "Pod \"" + pod.metadata().namespace() + "\"/\""
                                + pod.metadata().name()
                                + "\" matches multiple PodDisruptionBudgets.  Chose \""
                                + first.metadata().name()
                                + "\" arbitrarily.");
            }
            queue.add(first.objectName());
        }

        private static boolean selects(PodDisruptionBudget budget, Pod pod) {
            try {
                return LabelSelectors.of(budget.spec().selector())
                        .matches(pod.metadata().labels());
            } catch (InvalidSelectorException e) {
                return false; // the sync of the budget reports it
            }
        }
    }

    /**
     * Syncs one budget once. For workers and tests; two threads must not sync the same key at a time. Blocks until the
     * server has responded.
     *
     * @throws RuntimeException if the server rejected the write or did not respond; a later try may succeed
     */
    public void syncBudget(ObjectName budget) {
        sync.sync(budget);
    }

    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
