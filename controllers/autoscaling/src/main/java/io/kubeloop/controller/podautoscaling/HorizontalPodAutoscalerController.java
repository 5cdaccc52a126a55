/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;

/**
 * Scales objects by metrics, as HorizontalPodAutoscalers describe it (upstream: {@code HorizontalController}). Each
 * autoscaler is synced once in each sync period, and at once when it is new or its spec has changed.
 *
 * <p>Thread-safe. {@link #syncAutoscaler}, {@link #awaitTermination} and {@link #close} block.
 */
public final class HorizontalPodAutoscalerController implements SingleLoopController {

    // Threads: handlers run on the informers' threads; workers sync autoscalers. They share the queue, the selectors
    // and the caches, which are thread-safe.

    private static final String NAME = "horizontalpodautoscaler";
    private static final String CLIENT = "horizontal-pod-autoscaler";

    /** Discovery is read again after this time, as kube-controller-manager does it for all its controllers. */
    private static final Duration DISCOVERY_AGE = Duration.ofSeconds(30);

    private final TargetSelectors selectors = new TargetSelectors();
    private final AutoscalerMonitor monitor;
    private final Duration period;
    private final RateLimitingQueue<ObjectName> queue;
    private final AutoscalerSync sync;
    private final ControllerLoop<ObjectName> loop;

    private HorizontalPodAutoscalerController(ControllerContext context, PodAutoscalingConfig config) {
        KubeClient client = context.clients().apply(CLIENT);
        SharedInformer<HorizontalPodAutoscaler> autoscalers =
                context.informers().informer(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        EventRecorder events = context.recorders().apply(CLIENT);
        monitor = new AutoscalerMonitor(context.metrics(), context.clock());
        monitor.autoscalers(0);
        period = config.syncPeriod();
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        queue = WorkQueues.rateLimiting(queueConfig, RateLimiters.exponential(period, period));
        ScaleClient scales = new ScaleClient(client.transport(), context.clock(), DISCOVERY_AGE);
        MetricsClient metrics = new MetricsClient(client.transport(), scales, context.clock(), period);
        WriteBarrier barrier = new WriteBarrier(
                ControllerTime.steady(queueConfig.scheduler()),
                queue::add,
                resource -> context.metrics().staleSync("horizontal_pod_autoscaler", resource));
        sync = new AutoscalerSync(
                autoscalers.lister(),
                barrier.owners(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, client, autoscalers),
                scales,
                new AutoscalerMetrics(
                        new MetricEvaluation(new ReplicaCalculator(metrics, pods.lister(), config, context.clock())),
                        selectors,
                        pods.lister(),
                        events,
                        config.tolerance(),
                        monitor),
                events,
                config.downscaleStabilization(),
                monitor);
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::syncAutoscaler,
                List.of(autoscalers.addHandler(new AutoscalerHandler())),
                List.of(pods),
                context.threads());
    }

    /**
     * Creates the controller ({@code horizontal-pod-autoscaler-controller}), registered with its informers and not
     * started.
     */
    public static HorizontalPodAutoscalerController of(ControllerContext context, PodAutoscalingConfig config) {
        return new HorizontalPodAutoscalerController(context, config);
    }

    private final class AutoscalerHandler implements ResourceEventHandler<HorizontalPodAutoscaler> {

        @Override
        public void onAdd(HorizontalPodAutoscaler autoscaler, boolean isInInitialList) {
            selectors.add(autoscaler.objectName());
            monitor.autoscalers(selectors.size());
            queue.add(autoscaler.objectName());
        }

        @Override
        public void onUpdate(HorizontalPodAutoscaler old, HorizontalPodAutoscaler current) {
            if (old.metadata().generation() == current.metadata().generation()) {
                queue.addAfter(current.objectName(), period); // a status; a key that waits already keeps its time
            } else {
                queue.add(current.objectName());
            }
        }

        @Override
        public void onDelete(DeletedObject<HorizontalPodAutoscaler> deleted) {
            selectors.remove(deleted.name());
            monitor.autoscalers(selectors.size());
        }
    }

    /**
     * Syncs one autoscaler once, and queues it for the next sync. For workers and tests; two threads must not sync the
     * same key at a time. Blocks until the server has responded.
     *
     * @throws RuntimeException if a step failed; the next sync tries again
     */
    public void syncAutoscaler(ObjectName autoscaler) {
        if (sync.sync(autoscaler)) {
            queue.addAfter(autoscaler, period);
        }
    }

    @Override
    public ControllerLoop<?> loop() {
        return loop;
    }
}
