/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;

/**
 * Writes the addresses of the pods that a service selects into the service's Endpoints (upstream: {@code
 * pkg/controller/endpoint}).
 *
 * <p>A change of a service, a pod or an Endpoints object queues the keys of the services that it affects, and workers
 * sync one key at a time. A sync depends only on the caches, so a notification may be late or repeated.
 *
 * <p>Thread-safe. {@link #syncService}, {@link #awaitTermination} and {@link #close} block.
 */
public final class EndpointController implements SingleLoopController {

    /*
     * Invariants:
     *   E1  Every change that can affect a service's Endpoints queues its key after the caches show the change.
     *   E2  No sync runs before all three caches are filled: an empty pod cache must not empty all Endpoints.
     *   E3  One worker at a time syncs a key; the queue ensures that.
     *   E4  No sync reads the caches before they show what the last sync of its key wrote.
     *
     * No locks: handlers run on the informers' threads, syncs on the loop's workers. The parts that they share are
     * thread-safe.
     */

    private static final String NAME = "endpoint";
    private static final String COMPONENT = "endpoint-controller";

    private final EndpointsSync sync;
    private final ControllerLoop<ObjectName> loop;

    /** Creates a controller, registered with the informers of services, pods and Endpoints and not started. */
    public EndpointController(ControllerContext context, EndpointControllerConfig config) {
        SharedInformer<Service> services = context.informers().informer(ResourceTypes.SERVICES);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<Endpoints> endpoints = context.informers().informer(ResourceTypes.ENDPOINTS);
        EndpointCaches caches = new EndpointCaches(services.lister(), pods.lister(), endpoints.lister());
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(queueConfig);
        KubeClient client = context.clients().apply(COMPONENT);
        WriteBarrier barrier = new WriteBarrier(ControllerTime.steady(queueConfig.scheduler()), queue::add)
                .follow(ResourceTypes.SERVICES, services)
                .follow(ResourceTypes.ENDPOINTS, endpoints);
        sync = new EndpointsSync(caches, client, context.recorders().apply(COMPONENT), barrier);
        EndpointEventHandlers handlers = new EndpointEventHandlers(caches, queue, config.updatesBatchPeriod());
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncService,
                List.of(
                        services.addHandler(handlers.ofServices()),
                        pods.addHandler(handlers.ofPods()),
                        endpoints.addHandler(handlers.ofEndpoints())),
                context.threads());
    }

    /**
     * Syncs the Endpoints of one service once. For workers and tests; two threads must not sync the same key at a
     * time. Blocks until the server has responded to its writes.
     *
     * @throws RuntimeException if the server rejected a request or did not respond; a later try may succeed
     */
    public void syncService(ObjectName service) {
        sync.syncService(service);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
