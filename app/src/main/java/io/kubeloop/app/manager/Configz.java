package io.kubeloop.app.manager;

import io.kubeloop.api.GoDuration;
import io.kubeloop.controller.podautoscaling.PodAutoscalingConfig;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.ControllerOptions;
import java.nio.charset.StandardCharsets;

/** Renders the effective configuration for {@code /configz}, in the shape of kube-controller-manager's. */
final class Configz {

    private Configz() {}

    static byte[] json(ManagerFlags flags) {
        ControllerOptions options = flags.controllerOptions();
        JsonObject generic = JsonObject.EMPTY
                .with("controllers", JsonArray.ofStrings(flags.controllers()))
                .with("minResyncPeriod", GoDuration.format(flags.minResyncPeriod()))
                .with(
                        "clientConnection",
                        JsonObject.EMPTY
                                .with("qps", new JsonNumber(Double.toString(flags.qps())))
                                .with("burst", flags.burst()))
                .with(
                        "leaderElection",
                        JsonObject.EMPTY
                                .with("leaderElect", flags.leaderElect())
                                .with("leaseDuration", GoDuration.format(flags.leaseDuration()))
                                .with("renewDeadline", GoDuration.format(flags.renewDeadline()))
                                .with("retryPeriod", GoDuration.format(flags.retryPeriod()))
                                .with("resourceLock", "leases")
                                .with("resourceName", flags.resourceName())
                                .with("resourceNamespace", flags.resourceNamespace()));
        JsonObject config = JsonObject.EMPTY
                .with("generic", generic)
                .with(
                        "endpointController",
                        JsonObject.EMPTY
                                .with("concurrentEndpointSyncs", options.syncs("endpoint"))
                                .with(
                                        "endpointUpdatesBatchPeriod",
                                        GoDuration.format(options.endpoints().updatesBatchPeriod())))
                .with(
                        "garbageCollectorController",
                        JsonObject.EMPTY
                                .with("enableGarbageCollector", flags.garbageCollector())
                                .with("concurrentGCSyncs", options.syncs("garbagecollector")))
                .with("hpaController", hpa(options))
                .with("cronJobController", JsonObject.EMPTY.with("concurrentCronJobSyncs", options.syncs("cronjob")))
                .with("jobController", JsonObject.EMPTY.with("concurrentJobSyncs", options.syncs("job")))
                .with(
                        "ttlAfterFinishedController",
                        JsonObject.EMPTY.with("concurrentTTLSyncs", options.syncs("ttl-after-finished")))
                .with(
                        "namespaceController",
                        JsonObject.EMPTY
                                .with(
                                        "namespaceSyncPeriod",
                                        GoDuration.format(options.namespaces().resyncPeriod()))
                                .with("concurrentNamespaceSyncs", options.syncs("namespace")))
                .with("replicaSetController", JsonObject.EMPTY.with("concurrentRSSyncs", options.syncs("replicaset")))
                .with(
                        "replicationController",
                        JsonObject.EMPTY.with("concurrentRCSyncs", options.syncs("replicationcontroller")))
                .with(
                        "daemonSetController",
                        JsonObject.EMPTY.with("concurrentDaemonSetSyncs", options.syncs("daemonset")))
                .with(
                        "statefulSetController",
                        JsonObject.EMPTY.with("concurrentStatefulSetSyncs", options.syncs("statefulset")))
                .with("useServiceAccountCredentials", flags.serviceAccountCredentials());
        return JsonObject.of("kubeloop.io", config).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static JsonObject hpa(ControllerOptions options) {
        PodAutoscalingConfig config = options.autoscaling();
        return JsonObject.EMPTY
                .with("concurrentHorizontalPodAutoscalerSyncs", options.syncs("horizontalpodautoscaling"))
                .with("horizontalPodAutoscalerSyncPeriod", GoDuration.format(config.syncPeriod()))
                .with(
                        "horizontalPodAutoscalerDownscaleStabilizationWindow",
                        GoDuration.format(config.downscaleStabilization()))
                .with("horizontalPodAutoscalerTolerance", new JsonNumber(Double.toString(config.tolerance())))
                .with(
                        "horizontalPodAutoscalerCPUInitializationPeriod",
                        GoDuration.format(config.cpuInitializationPeriod()))
                .with(
                        "horizontalPodAutoscalerInitialReadinessDelay",
                        GoDuration.format(config.initialReadinessDelay()));
    }
}
