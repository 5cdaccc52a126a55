/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podgc;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.PeriodicController;
import io.kubeloop.controller.parallel.ParallelExecutor;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.util.List;

/**
 * Deletes pods that no other controller deletes, in a round every 20 s (upstream: {@code PodGCController}).
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class PodGcController implements CompositeController {

    // Threads: the loop's only worker runs the rounds. The handlers do nothing; they let the loop wait for the caches.

    private static final String NAME = "podgc";
    private static final String ACCOUNT = "pod-garbage-collector";
    private static final Duration PERIOD = Duration.ofSeconds(20);

    private final ControllerGroup loops;

    private PodGcController(ControllerContext context, int terminatedPodThreshold) {
        KubeClient client = context.clients().apply(ACCOUNT);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<Node> nodes = context.informers().informer(ResourceTypes.NODES);
        WorkQueueConfig queueConfig = context.queues().apply("orphaned_pods_nodes");
        ParallelExecutor executor = new ParallelExecutor(NAME, 20, context.threads());
        PodGcPass round = new PodGcPass(
                pods.lister(),
                nodes.lister(),
                new MissingNodes(client.resource(ResourceTypes.NODES), ControllerTime.steady(queueConfig.scheduler())),
                new PodRemoval(client.resource(ResourceTypes.PODS), context.clock()),
                terminatedPodThreshold,
                executor,
                context.metrics());
        var rounds =
                new PeriodicController(NAME, queueConfig, PERIOD, round::run, List.of(pods, nodes), context.threads());
        loops = ControllerGroup.named(NAME).with(rounds).with(executor);
    }

    /**
     * Creates the controller ({@code podgc}), registered with its informers and not started.
     *
     * @param terminatedPodThreshold the number of finished pods that are kept; zero or less keeps all of them
     */
    public static PodGcController of(ControllerContext context, int terminatedPodThreshold) {
        return new PodGcController(context, terminatedPodThreshold);
    }

    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
