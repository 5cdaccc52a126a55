/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.util.List;

/**
 * Copies Endpoints that users maintain into EndpointSlices, for clients that read only slices (upstream: {@code
 * pkg/controller/endpointslicemirroring}). It mirrors the Endpoints of services without a selector, unless they carry
 * the label {@code endpointslice.kubernetes.io/skip-mirror=true} or the record of a leader election.
 *
 * <p>Thread-safe. {@link #syncEndpoints}, {@link #awaitTermination} and {@link #close} block.
 */
public final class EndpointSliceMirroringController implements SingleLoopController {

    // Threads: one informer thread calls the handlers of each kind, the loop's workers call the sync. They share the
    // queue and the tracker, which are thread-safe.

    static final String CONTROLLER_NAME = "endpointslicemirroring-controller.k8s.io";

    private static final String NAME = "endpoint_slice_mirroring";
    private static final String METRICS = "endpoint_slice_mirroring_controller_";
    private static final String COMPONENT = "endpoint-slice-mirroring-controller";
    private static final String CLIENT = "endpointslicemirroring-controller";

    private final MirroringSync sync;
    private final ControllerLoop<ObjectName> loop;

    private EndpointSliceMirroringController(ControllerContext context, EndpointSliceConfig config) {
        SharedInformer<Service> services = context.informers().informer(ResourceTypes.SERVICES);
        SharedInformer<Endpoints> endpoints = context.informers().informer(ResourceTypes.ENDPOINTS);
        SharedInformer<EndpointSlice> slices = context.informers().informer(ResourceTypes.ENDPOINT_SLICES);
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = EndpointSliceController.queue(queueConfig, Duration.ofSeconds(100));
        SliceLabels labels = new SliceLabels(CONTROLLER_NAME);
        EndpointSliceTracker tracker = new EndpointSliceTracker(ControllerTime.steady(queueConfig.scheduler()));
        sync = new MirroringSync(
                new MirroringSync.Caches(services.lister(), endpoints.lister(), slices.lister()),
                labels,
                config.maxEndpoints(),
                new SliceWriter(
                        context.clients().apply(CLIENT).resource(ResourceTypes.ENDPOINT_SLICES),
                        tracker,
                        "Endpoints",
                        new SliceMetrics(METRICS, config.maxEndpoints(), context.metrics())),
                context.recorders().apply(COMPONENT),
                context.clock());
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncEndpoints,
                List.of(
                        services.addHandler(new ServiceHandler(queue)),
                        endpoints.addHandler(new EndpointsHandler(queue)),
                        slices.addHandler(new SliceHandler(
                                labels, tracker, name -> queue.addAfter(name, config.updatesBatchPeriod())))),
                context.threads());
    }

    /**
     * Creates the controller ({@code endpointslice-mirroring-controller}), registered with its informers and not
     * started.
     */
    public static EndpointSliceMirroringController of(ControllerContext context, EndpointSliceConfig config) {
        return new EndpointSliceMirroringController(context, config);
    }

    /** Queues the names of services that have no selector, or lose or gain one. */
    record ServiceHandler(RateLimitingQueue<ObjectName> queue) implements ResourceEventHandler<Service> {

        @Override
        public void onAdd(Service service, boolean isInInitialList) {
            if (!service.spec().hasSelector()) {
                queue.add(service.objectName());
            }
        }

        @Override
        public void onUpdate(Service before, Service after) {
            if (before.spec().hasSelector() != after.spec().hasSelector()) {
                queue.add(after.objectName());
            }
        }

        @Override
        public void onDelete(DeletedObject<Service> deleted) {
            Service last = deleted.lastKnown();
            if (last == null || !last.spec().hasSelector()) {
                queue.add(deleted.name());
            }
        }
    }

    /** Queues the names of Endpoints that ask to be mirrored, or asked before. */
    record EndpointsHandler(RateLimitingQueue<ObjectName> queue) implements ResourceEventHandler<Endpoints> {

        @Override
        public void onAdd(Endpoints endpoints, boolean isInInitialList) {
            if (MirroringSync.mayBeMirrored(endpoints)) {
                queue.add(endpoints.objectName());
            }
        }

        @Override
        public void onUpdate(Endpoints before, Endpoints after) {
            if (MirroringSync.mayBeMirrored(before) || MirroringSync.mayBeMirrored(after)) {
                queue.add(after.objectName());
            }
        }

        @Override
        public void onDelete(DeletedObject<Endpoints> deleted) {
            Endpoints last = deleted.lastKnown();
            if (last == null || MirroringSync.mayBeMirrored(last)) {
                queue.add(deleted.name());
            }
        }
    }

    /**
     * Syncs the slices of one Endpoints object once. For workers and tests; two threads must not sync the same key at a
     * time. Blocks until the server has responded to its writes.
     *
     * @throws RuntimeException if the cache does not show this controller's own writes yet, or the server rejected a
     *     request or did not respond; a later try may succeed
     */
    public void syncEndpoints(ObjectName endpoints) {
        sync.syncEndpoints(endpoints);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
