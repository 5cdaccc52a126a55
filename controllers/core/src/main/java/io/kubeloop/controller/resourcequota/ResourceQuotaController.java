/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.discovery.ResourceMonitors;
import io.kubeloop.controller.discovery.ResourceMonitors.Followed;
import io.kubeloop.controller.discovery.ServedApi;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/**
 * Counts what the objects of each namespace use, and writes it into the status of the namespace's quotas (upstream:
 * {@code resourcequota.Controller}).
 *
 * <p>The API server rejects a creation that exceeds a quota, and adds each creation to the status. This controller
 * computes the first usage of a quota, and lowers the usage after deletions.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class ResourceQuotaController implements CompositeController {

    // Threads: the handlers run on the informers' threads, the loops on their workers. They share the queues, the
    // caches and the monitors, which are thread-safe. No lock of its own.

    static final String ACCOUNT = "resourcequota-controller";

    private static final String NAME = "resourcequota";

    /** Virtual resources, and events, which no quota has ever counted. */
    private static final Set<String> IGNORED = Set.of(
            "bindings",
            "componentstatuses",
            "tokenreviews.authentication.k8s.io",
            "selfsubjectreviews.authentication.k8s.io",
            "subjectaccessreviews.authorization.k8s.io",
            "selfsubjectaccessreviews.authorization.k8s.io",
            "localsubjectaccessreviews.authorization.k8s.io",
            "selfsubjectrulesreviews.authorization.k8s.io",
            "events",
            "events.events.k8s.io");

    private final Clock clock;
    private final ResourceMonitors monitors;
    private final QuotaQueues queues;
    private final ControllerGroup loops;

    private ResourceQuotaController(ControllerContext context, ResourceQuotaConfig config) {
        clock = context.clock();
        KubeClient client = context.clients().apply(ACCOUNT);
        RateLimitingQueue<ObjectName> withoutUsage =
                WorkQueues.rateLimiting(context.queues().apply("resourcequota_priority"));
        RateLimitingQueue<ObjectName> changed =
                WorkQueues.rateLimiting(context.queues().apply("resourcequota_primary"));
        RateLimitingQueue<QuotaQueues.Recheck> written =
                WorkQueues.rateLimiting(context.queues().apply("resourcequota_recheck"));
        SharedInformer<GenericObject> quotas = context.informers().informer(Trees.QUOTAS);
        monitors = new ResourceMonitors(
                context.informers(),
                ResourceQuotaController::isCounted,
                entry -> followed(context.informers(), entry.type()));
        queues = new QuotaQueues(withoutUsage, changed, written, quotas.lister(), monitors::monitored);
        QuotaSync sync =
                new QuotaSync(quotas.lister(), monitors::monitored, client.resource(Trees.QUOTAS), clock, queues);
        ServedApi served = new ServedApi(
                NAME,
                "resource_quota_controller_resource_changes",
                context,
                client.transport(),
                monitors,
                queues::resourcesRead,
                () -> {});
        Registration registration = config.syncPeriod().isZero()
                ? quotas.addHandler(queues)
                : quotas.addHandler(queues, config.syncPeriod());
        List<Registration> registrations = List.of(registration, served.initialSync());
        var first = new ControllerLoop<>(NAME + "-first", withoutUsage, sync::sync, registrations, context.threads());
        var again = new ControllerLoop<>(NAME, changed, sync::sync, registrations, context.threads());
        var rechecking =
                new ControllerLoop<>(NAME + "-recheck", written, sync::recheck, registrations, context.threads());
        loops = ControllerGroup.named(NAME)
                .with(served, 1)
                .with(first)
                .with(again)
                .with(rechecking, 1)
                .onShutDown(monitors::close);
    }

    /** Creates the controller ({@code resourcequota}), not started. It starts its own informers. */
    public static ResourceQuotaController of(ControllerContext context, ResourceQuotaConfig config) {
        return new ResourceQuotaController(context, config);
    }

    private static boolean isCounted(ApiCatalog.Entry entry) {
        // Quotas count no classes; the usage of device claims depends on them.
        return entry.type().toString().equals(CachedDevices.CLASSES)
                || (entry.type().isNamespaced()
                        && entry.supports("create", "delete")
                        && !IGNORED.contains(entry.type().toString()));
    }

    /** Most objects are only counted, so their metadata is enough. */
    private Followed<?> followed(SharedInformerFactory informers, ResourceType<PartialObjectMetadata> type) {
        return switch (type.toString()) {
            case "pods" ->
                new Followed<>(ResourceTypes.PODS, new Replenishment<>(type, Replenishment.ofPods(clock), queues));
            case "services" ->
                new Followed<>(
                        ResourceTypes.SERVICES,
                        new Replenishment<>(type, (Service old, Service now) -> Replenishment.isDue(old, now), queues));
            case "persistentvolumeclaims" ->
                new Followed<>(
                        ResourceTypes.PERSISTENT_VOLUME_CLAIMS,
                        new Replenishment<>(
                                type,
                                (PersistentVolumeClaim old, PersistentVolumeClaim now) -> Replenishment.isDue(old, now),
                                queues));
            case CachedDevices.CLAIMS, CachedDevices.CLASSES ->
                new Followed<>(
                        ResourceTypes.generic(type.group(), type.version(), type.plural(), type.kind(), type.scope()),
                        new Replenishment<>(type, (GenericObject old, GenericObject now) -> false, queues));
            default ->
                new Followed<>(
                        informers.cachedAs(type),
                        new Replenishment<>(type, (KubeObject old, KubeObject now) -> false, queues));
        };
    }

    /**
     * Returns the loops. Their workers begin when every resource has been read. After 30 s they begin with the
     * resources that have been read by then. Two queues of quotas have as many workers each as the controller starts
     * with.
     */
    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
