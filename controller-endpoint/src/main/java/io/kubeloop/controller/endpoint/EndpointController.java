package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;

/**
 * Keeps the Endpoints of every service that has a selector equal to the addresses of the pods that it chooses (upstream:
 * {@code pkg/controller/endpoint}).
 *
 * <p>Changes of services, pods and Endpoints arrive as notifications; each is turned into the keys of the services that it
 * concerns, and the workers bring one key after the other into order. What is written depends on the caches alone, so that a
 * notification may come late or twice.
 *
 * <p>Thread-safe.
 */
public final class EndpointController implements Controller {

    // Invariants
    //   E1  Every change that can affect a service's Endpoints puts its key into the queue after the caches show the
    //       change.
    //   E2  No sync runs before all three caches are filled: an empty pod cache must not empty the world's
    //       Endpoints.
    //   E3  A key is synced by one worker at a time (I3, from the queue).
    // No locks: handlers run on the informers' threads, syncs on the loop's workers. What they share is thread-safe.

    private static final String NAME = "endpoint";
    private static final String COMPONENT = "endpoint-controller";

    private final EndpointsSync sync;
    private final ControllerLoop<ObjectName> loop;

    /** Makes a controller and registers it with the informers of services, pods and Endpoints; start it to run. */
    public EndpointController(ControllerContext context, EndpointControllerConfig config) {
        SharedInformer<Service> services = context.informers().informer(ResourceTypes.SERVICES);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<Endpoints> endpoints = context.informers().informer(ResourceTypes.ENDPOINTS);
        EndpointCaches caches = new EndpointCaches(services.lister(), pods.lister(), endpoints.lister());
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(queueConfig);
        KubeClient client = context.clients().apply(COMPONENT);
        RecentWrites<Endpoints> recentWrites = new RecentWrites<>(ControllerTime.steady(queueConfig.clock()));
        sync = new EndpointsSync(
                caches, client, context.recorders().apply(COMPONENT), recentWrites, queue, config.rules());
        EndpointEventHandlers handlers = new EndpointEventHandlers(caches, queue, recentWrites, config);
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
     * Brings the Endpoints of one service into order, once. For workers and tests; never for one key on two threads at a
     * time. Blocks.
     *
     * @throws RuntimeException if the server refused or did not answer; trying again later may help
     */
    public void syncService(ObjectName service) {
        sync.syncService(service);
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start(int workers) {
        loop.start(workers);
    }

    @Override
    public void shutDown() {
        loop.shutDown();
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        return loop.awaitTermination(timeout);
    }
}
