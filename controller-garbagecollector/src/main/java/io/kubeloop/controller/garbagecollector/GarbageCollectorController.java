package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ParallelExecutor;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.discovery.ResourceMonitors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects whose owners are all gone, and handles owners that are deleted in the foreground or with orphans (upstream:
 * {@code GarbageCollector}).
 *
 * <p>Promised: an object is deleted only after the server has answered that none of its owners exists, or that those that
 * exist are being deleted in the foreground. The deletion is bound to the state of the object that was read.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class GarbageCollectorController implements Controller {

    // Threads: the handlers of the monitors run on the informers' threads, the loops on their workers. They share the
    // graph, the absent owners and the queues, which are thread-safe. No lock of its own.

    private static final String NAME = "garbagecollector";
    private static final String COMPONENT = "garbage-collector-controller";

    /** The name of the account, which differs from the component of the events. */
    private static final String ACCOUNT = "generic-garbage-collector";

    /** Resources whose objects nothing owns or deletes. */
    private static final Set<String> IGNORED = Set.of("events", "events.events.k8s.io");

    /** Groups whose objects define resources. */
    private static final Set<String> DEFINITIONS = Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

    private final OwnerGraph graph = new OwnerGraph();
    private final AbsentOwners absentOwners = new AbsentOwners();
    private final RateLimitingQueue<String> toCheck;
    private final RateLimitingQueue<String> toOrphan;
    private final RateLimitingQueue<String> resources;
    private final EventRecorder events;
    private final ResourceMonitors monitors;
    private final ServedApi served;
    private final ParallelExecutor executor;
    private final ControllerLoop<String> discovering;
    private final ControllerLoop<String> deleting;
    private final ControllerLoop<String> orphaning;

    private GarbageCollectorController(ControllerContext context) {
        KubeClient client = context.clients().apply(ACCOUNT);
        events = context.recorders().apply(COMPONENT);
        toCheck = WorkQueues.rateLimiting(context.queues().apply("garbage_collector_attempt_to_delete"));
        toOrphan = WorkQueues.rateLimiting(context.queues().apply("garbage_collector_attempt_to_orphan"));
        WorkQueueConfig resourcesConfig = context.queues().apply("garbage_collector_resources");
        resources = WorkQueues.rateLimiting(
                resourcesConfig, RateLimiters.exponential(Duration.ofMillis(100), ServedApi.PERIOD));
        monitors = new ResourceMonitors(context.informers(), GarbageCollectorController::isCollected, this::handler);
        served = new ServedApi(client.transport(), monitors, resources);
        CollectorRequests requests = new CollectorRequests(client, served);
        executor = new ParallelExecutor(NAME, 20, context.threads());
        DeletionAttempts attempts = new DeletionAttempts(graph, requests, absentOwners, this::carryOut);
        Orphaning orphans = new Orphaning(graph, requests, executor);
        InitialSync initialSync = new InitialSync(monitors);
        discovering = new ControllerLoop<>(
                NAME + "-resources",
                resources,
                everything -> {
                    served.refresh(everything);
                    initialSync.monitorsStarted();
                },
                List.of(),
                context.threads());
        deleting = new ControllerLoop<>(NAME, toCheck, attempts::check, List.of(initialSync), context.threads());
        orphaning = new ControllerLoop<>(
                NAME + "-orphans", toOrphan, orphans::orphan, List.of(initialSync), context.threads());
    }

    /** Creates the controller ({@code garbagecollector}), not started. It starts its own informers. */
    public static GarbageCollectorController of(ControllerContext context) {
        return new GarbageCollectorController(context);
    }

    private static boolean isCollected(ApiCatalog.Entry entry) {
        return entry.supports("delete") && !IGNORED.contains(entry.type().toString());
    }

    private ResourceEventHandler<PartialObjectMetadata> handler(ResourceType<PartialObjectMetadata> type) {
        boolean defines = DEFINITIONS.contains(type.group());
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(PartialObjectMetadata object, boolean isInInitialList) {
                observed(null, object, !isInInitialList);
            }

            @Override
            public void onUpdate(PartialObjectMetadata old, PartialObjectMetadata current) {
                boolean isAnother =
                        !old.metadata().uid().equals(current.metadata().uid());
                if (isAnother) {
                    carryOut(graph.forget(ObjectCoordinates.of(type, old.metadata())));
                }
                observed(isAnother ? null : old.metadata(), current, true);
            }

            private void observed(@Nullable ObjectMeta old, PartialObjectMetadata current, boolean isNew) {
                ObjectMeta now = current.metadata();
                carryOut(graph.observe(ObjectCoordinates.of(type, now), old, now));
                if (defines && isNew) {
                    served.refreshSoon();
                }
            }

            @Override
            public void onDelete(DeletedObject<PartialObjectMetadata> deleted) {
                PartialObjectMetadata last = deleted.lastKnown();
                if (last != null) {
                    carryOut(graph.forget(ObjectCoordinates.of(type, last.metadata())));
                }
                if (defines) {
                    served.refreshSoon();
                }
            }

            @Override
            public String handlerName() {
                return COMPONENT;
            }
        };
    }

    /** Carries out what follows from a change of the graph, without the graph's lock. */
    private void carryOut(GraphEffects effects) {
        effects.absent().forEach(absentOwners::add);
        effects.toCheck().forEach(toCheck::add);
        effects.toCheckLater().forEach(toCheck::addRateLimited);
        effects.toOrphan().forEach(toOrphan::add);
        for (GraphEffects.WrongNamespace wrong : effects.wrongNamespaces()) {
            events.event(
                    wrong.dependent().toReference(),
                    EventType.WARNING,
                    "OwnerRefInvalidNamespace",
                    "ownerRef " + wrong.claimed() + " does not exist in namespace \""
                            + wrong.dependent().namespace() + "\"");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Starts the workers, which begin when every resource has been read. After 30 s they begin with the resources that have
     * been read by then.
     *
     * @param workers the number of objects that are checked at a time, and of owners whose dependents are released at a time
     */
    @Override
    public void start(int workers) {
        discovering.start(1);
        deleting.start(workers);
        orphaning.start(workers);
        resources.add(ServedApi.EVERYTHING);
    }

    @Override
    public void shutDown() {
        discovering.shutDown();
        deleting.shutDown();
        orphaning.shutDown();
        monitors.close();
        executor.close();
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean ended = discovering.awaitTermination(left(deadline));
        ended &= deleting.awaitTermination(left(deadline));
        ended &= orphaning.awaitTermination(left(deadline));
        ended &= executor.close(left(deadline));
        return ended;
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }
}
