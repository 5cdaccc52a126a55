package io.kubeloop.controller.podgc;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.ParallelExecutor;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;

/**
 * Deletes pods that nobody else deletes, in a round every 20 s (upstream: {@code PodGCController}).
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class PodGcController implements Controller {

    // Threads: the loop's only worker runs the rounds. The handlers do nothing; they let the loop wait for the caches.

    private static final String NAME = "podgc";
    private static final String ACCOUNT = "pod-garbage-collector";
    private static final String ROUND = "round";
    private static final Duration PERIOD = Duration.ofSeconds(20);

    private final RateLimitingQueue<String> queue;
    private final ParallelExecutor executor;
    private final ControllerLoop<String> loop;

    private PodGcController(ControllerContext context, int terminatedPodThreshold) {
        KubeClient client = context.clients().apply(ACCOUNT);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<Node> nodes = context.informers().informer(ResourceTypes.NODES);
        WorkQueueConfig queueConfig = context.queues().apply("pod_garbage_collector");
        queue = WorkQueues.rateLimiting(queueConfig);
        executor = new ParallelExecutor(NAME, 20, context.threads());
        PodGcRound round = new PodGcRound(
                pods.lister(),
                nodes.lister(),
                new MissingNodes(client.resource(ResourceTypes.NODES), ControllerTime.steady(queueConfig.clock())),
                new PodRemoval(client.resource(ResourceTypes.PODS), context.clock()),
                terminatedPodThreshold,
                executor);
        loop = new ControllerLoop<>(
                NAME,
                queue,
                item -> {
                    round.run();
                    queue.addAfter(item, PERIOD);
                },
                List.of(
                        pods.addHandler(new ResourceEventHandler<Pod>() {}),
                        nodes.addHandler(new ResourceEventHandler<Node>() {})),
                context.threads());
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
    public String name() {
        return loop.name();
    }

    /** Starts one worker, whatever the number: rounds follow each other. */
    @Override
    public void start(int workers) {
        loop.start(1);
        queue.add(ROUND);
    }

    @Override
    public void shutDown() {
        loop.shutDown();
        executor.close();
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean ended = loop.awaitTermination(timeout);
        ended &= executor.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        return ended;
    }
}
