package io.kubeloop.app.manager;

import io.kubeloop.controller.daemonset.DaemonSetController;
import io.kubeloop.controller.deployment.DeploymentController;
import io.kubeloop.controller.disruption.DisruptionController;
import io.kubeloop.controller.endpoint.EndpointController;
import io.kubeloop.controller.endpoint.EndpointControllerConfig;
import io.kubeloop.controller.endpointslice.EndpointSliceController;
import io.kubeloop.controller.endpointslice.EndpointSliceMirroringController;
import io.kubeloop.controller.garbagecollector.GarbageCollectorController;
import io.kubeloop.controller.job.CronJobController;
import io.kubeloop.controller.job.JobController;
import io.kubeloop.controller.job.TtlAfterFinishedController;
import io.kubeloop.controller.namespace.NamespaceController;
import io.kubeloop.controller.namespace.NamespaceControllerConfig;
import io.kubeloop.controller.podgc.PodGcController;
import io.kubeloop.controller.replicaset.ReplicaSetController;
import io.kubeloop.controller.serviceaccount.RootCaPublisher;
import io.kubeloop.controller.serviceaccount.ServiceAccountController;
import io.kubeloop.controller.serviceaccount.ServiceAccountTokenController;
import io.kubeloop.controller.statefulset.StatefulSetController;
import io.kubeloop.controller.ttl.TtlController;
import java.security.KeyPair;
import java.time.ZoneId;
import java.util.List;

/**
 * Lists the controllers of the manager (upstream: {@code NewControllerInitializers}). A new controller is a new entry.
 */
final class ControllerTable {

    static final List<ControllerDescriptor> ALL = List.of(
            new ControllerDescriptor("endpoints-controller", "endpoint", (context, options) -> {
                var config = new EndpointControllerConfig(
                        options.endpointUpdatesBatchPeriod(), options.rules().endpointRules());
                var controller = new EndpointController(context, config);
                controller.start(options.syncs("endpoint"));
                return controller;
            }),
            new ControllerDescriptor("disruption-controller", "disruption", (context, options) -> {
                var controller = DisruptionController.of(context);
                controller.start(1);
                return controller;
            }),
            new ControllerDescriptor("endpointslice-controller", "endpointslice", (context, options) -> {
                var controller =
                        EndpointSliceController.of(context, options.slices().config());
                controller.start(options.slices().syncs());
                return controller;
            }),
            new ControllerDescriptor(
                    "endpointslice-mirroring-controller", "endpointslicemirroring", (context, options) -> {
                        var controller = EndpointSliceMirroringController.of(
                                context, options.slices().mirroring());
                        controller.start(options.slices().mirroringSyncs());
                        return controller;
                    }),
            new ControllerDescriptor("daemonset-controller", "daemonset", (context, options) -> {
                var controller = DaemonSetController.of(context);
                controller.start(options.syncs("daemonset"));
                return controller;
            }),
            new ControllerDescriptor("deployment-controller", "deployment", (context, options) -> {
                var controller = DeploymentController.of(context);
                controller.start(options.syncs("deployment"));
                return controller;
            }),
            new ControllerDescriptor("garbage-collector-controller", "garbagecollector", (context, options) -> {
                if (!options.deletion().garbageCollector()) {
                    return null;
                }
                var controller = GarbageCollectorController.of(context);
                controller.start(options.deletion().garbageCollectorSyncs());
                return controller;
            }),
            new ControllerDescriptor("cronjob-controller", "cronjob", (context, options) -> {
                var controller = CronJobController.of(context, ZoneId.systemDefault());
                controller.start(options.syncs("cronjob"));
                return controller;
            }),
            new ControllerDescriptor("job-controller", "job", (context, options) -> {
                var controller = JobController.of(context);
                controller.start(options.syncs("job"));
                return controller;
            }),
            new ControllerDescriptor("namespace-controller", "namespace", (context, options) -> {
                var config = NamespaceControllerConfig.DEFAULT.withResyncPeriod(
                        options.deletion().namespaceSyncPeriod());
                var controller = NamespaceController.of(context, config);
                controller.start(options.deletion().namespaceSyncs());
                return controller;
            }),
            new ControllerDescriptor("pod-garbage-collector-controller", "podgc", (context, options) -> {
                var controller = PodGcController.of(context, options.deletion().terminatedPodThreshold());
                controller.start(1);
                return controller;
            }),
            new ControllerDescriptor("replicaset-controller", "replicaset", (context, options) -> {
                var controller = ReplicaSetController.ofReplicaSets(
                        context, options.rules().replicaSetConfig());
                controller.start(options.syncs("replicaset"));
                return controller;
            }),
            new ControllerDescriptor(
                    "replicationcontroller-controller", "replicationcontroller", (context, options) -> {
                        var controller = ReplicaSetController.ofReplicationControllers(
                                context, options.rules().replicaSetConfig());
                        controller.start(options.syncs("replicationcontroller"));
                        return controller;
                    }),
            new ControllerDescriptor(
                    "root-ca-certificate-publisher-controller", "root-ca-cert-publisher", (context, options) -> {
                        var controller = RootCaPublisher.of(
                                context, options.serviceAccounts().rootCa());
                        controller.start(1);
                        return controller;
                    }),
            new ControllerDescriptor("serviceaccount-controller", "serviceaccount", (context, options) -> {
                var controller = ServiceAccountController.of(context);
                controller.start(1);
                return controller;
            }),
            new ControllerDescriptor("ttl-controller", "ttl", (context, options) -> {
                var controller = TtlController.of(context);
                controller.start(5);
                return controller;
            }),
            new ControllerDescriptor("serviceaccount-token-controller", "serviceaccount-token", (context, options) -> {
                KeyPair keys = options.serviceAccounts().keys();
                if (keys == null) {
                    return null;
                }
                var controller = ServiceAccountTokenController.of(
                        context, keys, options.serviceAccounts().rootCa());
                controller.start(options.serviceAccounts().tokenSyncs());
                return controller;
            }),
            new ControllerDescriptor("statefulset-controller", "statefulset", (context, options) -> {
                var controller = StatefulSetController.of(context);
                controller.start(options.syncs("statefulset"));
                return controller;
            }),
            new ControllerDescriptor("ttl-after-finished-controller", "ttl-after-finished", (context, options) -> {
                var controller = TtlAfterFinishedController.of(context);
                controller.start(options.syncs("ttl-after-finished"));
                return controller;
            }));

    private ControllerTable() {}
}
