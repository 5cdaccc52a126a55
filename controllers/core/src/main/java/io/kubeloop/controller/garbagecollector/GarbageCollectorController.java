/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.discovery.ResourceMonitors;
import io.kubeloop.controller.discovery.ServedApi;
import io.kubeloop.controller.parallel.ParallelExecutor;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.Set;

/**
 * Deletes objects whose owners are all gone, and handles owners that are deleted in the foreground or with orphans
 * (upstream: {@code GarbageCollector}).
 *
 * <p>Promised: an object is deleted only after the server has answered that none of its owners exists, or that those
 * that exist are being deleted in the foreground. The deletion is bound to the state of the object that was read.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class GarbageCollectorController implements CompositeController {

    // Threads: the handlers of the monitors run on the informers' threads, the loops on their workers. They share the
    // graph, the absent owners and the queues, which are thread-safe. No lock of its own.

    private static final String NAME = "garbagecollector";
    private static final String COMPONENT = "garbage-collector-controller";

    /** The name of the account, which differs from the component of the events. */
    private static final String ACCOUNT = "generic-garbage-collector";

    /** Resources whose objects nothing owns or deletes. */
    private static final Set<String> IGNORED = Set.of("events", "events.events.k8s.io");

    /** The quota controller reads these objects whole, and may find the resources later than this controller. */
    private static final Set<String> CACHED_WHOLE =
            Set.of("deviceclasses.resource.k8s.io", "resourceclaims.resource.k8s.io");

    /** Groups whose objects define resources. */
    private static final Set<String> DEFINITIONS = Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

    private static final ControllerMetric RESOURCE_ERRORS = ControllerMetric.counter(
            "garbagecollector_controller_resources_sync_error_total", "Failed reads of the server's resources");

    private final ResourceMonitors monitors;
    private final ServedApi served;
    private final ControllerGroup loops;

    private GarbageCollectorController(ControllerContext context) {
        KubeClient client = context.clients().apply(ACCOUNT);
        OwnerGraph graph = new OwnerGraph();
        AbsentOwners absentOwners = new AbsentOwners();
        RateLimitingQueue<String> toCheck =
                WorkQueues.rateLimiting(context.queues().apply("garbage_collector_attempt_to_delete"));
        RateLimitingQueue<String> toOrphan =
                WorkQueues.rateLimiting(context.queues().apply("garbage_collector_attempt_to_orphan"));
        GraphEffects.Work work = new GraphEffects.Work(
                absentOwners, toCheck, toOrphan, context.recorders().apply(COMPONENT));
        GraphHandlers handlers = new GraphHandlers(graph, work);
        monitors = new ResourceMonitors(
                context.informers(),
                GarbageCollectorController::isCollected,
                entry -> new ResourceMonitors.Followed<>(
                        formOf(context.informers(), entry.type()), handlerOf(entry.type(), handlers)));
        context.metrics().present(RESOURCE_ERRORS);
        served = new ServedApi(
                NAME,
                "garbage_collector_graph_changes",
                context,
                client.transport(),
                monitors,
                () -> {},
                () -> context.metrics().record(RESOURCE_ERRORS, 1));
        CollectorRequests requests = new CollectorRequests(client, served::ofKind);
        ParallelExecutor executor = new ParallelExecutor(NAME, 20, context.threads());
        DeletionAttempts attempts = new DeletionAttempts(graph, requests, absentOwners, work::carryOut);
        Orphaning orphans = new Orphaning(graph, requests, executor);
        List<Registration> registrations = List.of(served.initialSync());
        var deleting = new ControllerLoop<>(NAME, toCheck, attempts::check, registrations, context.threads());
        var orphaning =
                new ControllerLoop<>(NAME + "-orphans", toOrphan, orphans::orphan, registrations, context.threads());
        loops = ControllerGroup.named(NAME)
                .with(served, 1)
                .with(deleting)
                .with(orphaning)
                .onShutDown(monitors::close)
                .with(executor);
    }

    /** Creates the controller ({@code garbagecollector}), not started. It starts its own informers. */
    public static GarbageCollectorController of(ControllerContext context) {
        return new GarbageCollectorController(context);
    }

    private static boolean isCollected(ApiCatalog.Entry entry) {
        return entry.supports("delete") && !IGNORED.contains(entry.type().toString());
    }

    private static ResourceType<? extends KubeObject> formOf(
            SharedInformerFactory informers, ResourceType<PartialObjectMetadata> type) {
        return CACHED_WHOLE.contains(type.toString())
                ? ResourceTypes.generic(type.group(), type.version(), type.plural(), type.kind(), type.scope())
                : informers.cachedAs(type);
    }

    private ResourceEventHandler<KubeObject> handlerOf(ResourceType<?> type, GraphHandlers handlers) {
        return handlers.of(type, DEFINITIONS.contains(type.group()) ? served::refreshSoon : () -> {});
    }

    /**
     * Returns the loops. Their workers begin when every resource has been read. After 30 s they begin with the
     * resources that have been read by then. The checks of objects, and the releases of dependents, have as many
     * workers each as the controller starts with.
     */
    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
