/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.services.PodChange;
import io.kubeloop.controller.services.ServiceSelectorCache;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Writes the addresses of the pods that a service selects into the service's EndpointSlices (upstream: {@code
 * pkg/controller/endpointslice}).
 *
 * <p>Promised: a slice never holds more endpoints than the limit. A change of one pod changes one slice. Slices of
 * other controllers, and of services without a selector, stay as they are.
 *
 * <p>Thread-safe. {@link #syncService}, {@link #awaitTermination} and {@link #close} block.
 */
public final class EndpointSliceController implements SingleLoopController {

    // Threads: one informer thread calls the handlers of each kind, the loop's workers call the sync. They share the
    // queue, the tracker and the topology, which are thread-safe. An event about nodes computes the shares of all
    // zones on its informer thread.

    static final String CONTROLLER_NAME = "endpointslice-controller.k8s.io";

    private static final String NAME = "endpoint_slice";
    private static final String METRICS = "endpoint_slice_controller_";
    private static final String COMPONENT = "endpoint-slice-controller";
    private static final String CLIENT = "endpointslice-controller";

    /** The least delay of a sync after a change of slices, so one sync covers several. */
    private static final Duration SLICE_DELAY = Duration.ofSeconds(1);

    private final EndpointSliceSync sync;
    private final ControllerLoop<ObjectName> loop;

    private EndpointSliceController(ControllerContext context, EndpointSliceConfig config) {
        SharedInformer<Service> services = context.informers().informer(ResourceTypes.SERVICES);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<Node> nodes = context.informers().informer(ResourceTypes.NODES);
        SharedInformer<EndpointSlice> slices = context.informers().informer(ResourceTypes.ENDPOINT_SLICES);
        EndpointSliceCaches caches =
                new EndpointSliceCaches(services.lister(), pods.lister(), nodes.lister(), slices.lister());
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = queue(queueConfig, Duration.ofSeconds(1000));
        SliceLabels labels = new SliceLabels(CONTROLLER_NAME);
        EndpointSliceTracker tracker = new EndpointSliceTracker(ControllerTime.steady(queueConfig.scheduler()));
        TopologyHints topology = new TopologyHints();
        SliceWriter writer = new SliceWriter(
                context.clients().apply(CLIENT).resource(ResourceTypes.ENDPOINT_SLICES),
                tracker,
                "Service",
                new SliceMetrics(METRICS, config.maxEndpoints(), context.metrics()));
        sync = new EndpointSliceSync(
                caches,
                labels,
                config.maxEndpoints(),
                writer,
                topology,
                context.recorders().apply(COMPONENT));
        Duration sliceDelay = max(SLICE_DELAY, config.updatesBatchPeriod());
        Handlers handlers =
                new Handlers(caches, queue, topology, config.updatesBatchPeriod(), new ServiceSelectorCache());
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncService,
                List.of(
                        services.addHandler(handlers.ofServices()),
                        pods.addHandler(handlers.ofPods()),
                        nodes.addHandler(handlers.ofNodes()),
                        slices.addHandler(
                                new SliceHandler(labels, tracker, service -> queue.addAfter(service, sliceDelay)))),
                context.threads());
    }

    /** Creates the controller ({@code endpointslice-controller}), registered with its informers and not started. */
    public static EndpointSliceController of(ControllerContext context, EndpointSliceConfig config) {
        return new EndpointSliceController(context, config);
    }

    /** Returns a queue that retries after 1 s, doubled each time, because a retry can rewrite many slices. */
    static RateLimitingQueue<ObjectName> queue(WorkQueueConfig config, Duration maxBackoff) {
        return WorkQueues.rateLimiting(
                config,
                RateLimiters.maxOf(
                        RateLimiters.<ObjectName>exponential(Duration.ofSeconds(1), maxBackoff),
                        RateLimiters.<ObjectName>bucket(10, 100, config.scheduler())));
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** The handlers of the kinds that slices are computed from. */
    record Handlers(
            EndpointSliceCaches caches,
            RateLimitingQueue<ObjectName> queue,
            TopologyHints topology,
            Duration batchPeriod,
            ServiceSelectorCache selectors) {

        ResourceEventHandler<Service> ofServices() {
            return new ResourceEventHandler<>() {
                @Override
                public void onAdd(Service service, boolean isInInitialList) {
                    selectors.update(service);
                    queue.add(service.objectName());
                }

                @Override
                public void onUpdate(Service before, Service after) {
                    selectors.update(after);
                    queue.add(after.objectName());
                }

                @Override
                public void onDelete(DeletedObject<Service> deleted) {
                    selectors.delete(deleted.name());
                    queue.add(deleted.name());
                }
            };
        }

        ResourceEventHandler<Pod> ofPods() {
            return new ResourceEventHandler<>() {
                @Override
                public void onAdd(Pod pod, boolean isInInitialList) {
                    enqueue(selectors.getPodServiceMemberships(caches.services(), pod));
                }

                @Override
                public void onUpdate(Pod before, Pod after) {
                    enqueue(PodChange.between(before, after, true)
                            .servicesToUpdate(selectors, caches.services(), before, after));
                }

                @Override
                public void onDelete(DeletedObject<Pod> deleted) {
                    Pod last = deleted.lastKnown();
                    if (last != null) {
                        enqueue(selectors.getPodServiceMemberships(caches.services(), last));
                    }
                }
            };
        }

        private void enqueue(Set<ObjectName> services) {
            services.forEach(service -> queue.addAfter(service, batchPeriod));
        }

        ResourceEventHandler<Node> ofNodes() {
            return new ResourceEventHandler<>() {
                @Override
                public void onAdd(Node node, boolean isInInitialList) {
                    nodesChanged();
                }

                @Override
                public void onUpdate(Node before, Node after) {
                    if (ZoneShares.isReady(before) != ZoneShares.isReady(after)
                            || !ZoneShares.zoneOf(before).equals(ZoneShares.zoneOf(after))) {
                        nodesChanged();
                    }
                }

                @Override
                public void onDelete(DeletedObject<Node> deleted) {
                    nodesChanged();
                }
            };
        }

        private void nodesChanged() {
            topology.setNodes(caches.nodes().list()).forEach(queue::add);
        }
    }

    /**
     * Syncs the slices of one service once. For workers and tests; two threads must not sync the same key at a time.
     * Blocks until the server has responded to its writes.
     *
     * @throws RuntimeException if the cache does not show this controller's own writes yet, or the server rejected a
     *     request or did not respond; a later try may succeed
     */
    public void syncService(ObjectName service) {
        sync.syncService(service);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
