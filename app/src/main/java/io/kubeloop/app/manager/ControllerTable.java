package io.kubeloop.app.manager;

import io.kubeloop.controller.Controller;
import io.kubeloop.controller.bootstrap.BootstrapSignerController;
import io.kubeloop.controller.bootstrap.TokenCleanerController;
import io.kubeloop.controller.certificates.CertificateApprovingController;
import io.kubeloop.controller.certificates.CertificateCleanerController;
import io.kubeloop.controller.certificates.CertificateSigningController;
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
import io.kubeloop.controller.podautoscaling.HorizontalPodAutoscalerController;
import io.kubeloop.controller.podgc.PodGcController;
import io.kubeloop.controller.replicaset.ReplicaSetController;
import io.kubeloop.controller.resourcequota.ResourceQuotaConfig;
import io.kubeloop.controller.resourcequota.ResourceQuotaController;
import io.kubeloop.controller.serviceaccount.LegacyTokenCleanerController;
import io.kubeloop.controller.serviceaccount.RootCaPublisher;
import io.kubeloop.controller.serviceaccount.ServiceAccountController;
import io.kubeloop.controller.serviceaccount.ServiceAccountTokenController;
import io.kubeloop.controller.statefulset.StatefulSetController;
import io.kubeloop.controller.ttl.TtlController;
import java.security.KeyPair;
import java.time.ZoneId;
import java.util.Iterator;
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
                return started(controller, options.syncs("endpoint"));
            }),
            new ControllerDescriptor(
                    "disruption-controller",
                    "disruption",
                    (context, options) -> started(DisruptionController.of(context), 1)),
            new ControllerDescriptor(
                    "endpointslice-controller",
                    "endpointslice",
                    (context, options) -> started(
                            EndpointSliceController.of(context, options.slices().config()),
                            options.slices().syncs())),
            new ControllerDescriptor(
                    "endpointslice-mirroring-controller",
                    "endpointslicemirroring",
                    (context, options) -> started(
                            EndpointSliceMirroringController.of(
                                    context, options.slices().mirroring()),
                            options.slices().mirroringSyncs())),
            new ControllerDescriptor(
                    "daemonset-controller",
                    "daemonset",
                    (context, options) -> started(DaemonSetController.of(context), options.syncs("daemonset"))),
            new ControllerDescriptor(
                    "deployment-controller",
                    "deployment",
                    (context, options) -> started(DeploymentController.of(context), options.syncs("deployment"))),
            new ControllerDescriptor(
                    "bootstrap-signer-controller",
                    "bootstrapsigner",
                    false,
                    (context, options) -> started(BootstrapSignerController.of(context), 1)),
            new ControllerDescriptor(
                    "token-cleaner-controller",
                    "tokencleaner",
                    false,
                    (context, options) -> started(TokenCleanerController.of(context), 1)),
            new ControllerDescriptor(
                    "certificatesigningrequest-approving-controller",
                    "csrapproving",
                    (context, options) -> started(CertificateApprovingController.of(context), 5)),
            new ControllerDescriptor(
                    "certificatesigningrequest-cleaner-controller",
                    "csrcleaner",
                    (context, options) -> started(CertificateCleanerController.of(context), 1)),
            new ControllerDescriptor(
                    "certificatesigningrequest-signing-controller",
                    "csrsigning",
                    (context, options) -> options.signing().authorities().isEmpty()
                            ? null
                            : started(CertificateSigningController.of(context, options.signing()), 5)),
            new ControllerDescriptor(
                    "horizontal-pod-autoscaler-controller",
                    "horizontalpodautoscaling",
                    (context, options) -> started(
                            HorizontalPodAutoscalerController.of(
                                    context, options.autoscaling().config()),
                            options.autoscaling().syncs())),
            new ControllerDescriptor("garbage-collector-controller", "garbagecollector", (context, options) -> {
                if (!options.deletion().garbageCollector()) {
                    return null;
                }
                var controller = GarbageCollectorController.of(context);
                return started(controller, options.deletion().garbageCollectorSyncs());
            }),
            new ControllerDescriptor(
                    "cronjob-controller",
                    "cronjob",
                    (context, options) ->
                            started(CronJobController.of(context, ZoneId.systemDefault()), options.syncs("cronjob"))),
            new ControllerDescriptor(
                    "job-controller",
                    "job",
                    (context, options) -> started(JobController.of(context), options.syncs("job"))),
            new ControllerDescriptor(
                    "legacy-serviceaccount-token-cleaner-controller",
                    "legacy-service-account-token-cleaner",
                    (context, options) -> started(
                            LegacyTokenCleanerController.of(
                                    context, options.serviceAccounts().legacyTokenPeriod()),
                            1)),
            new ControllerDescriptor("namespace-controller", "namespace", (context, options) -> {
                var config = NamespaceControllerConfig.DEFAULT.withResyncPeriod(
                        options.deletion().namespaceSyncPeriod());
                var controller = NamespaceController.of(context, config);
                return started(controller, options.deletion().namespaceSyncs());
            }),
            new ControllerDescriptor(
                    "pod-garbage-collector-controller",
                    "podgc",
                    (context, options) -> started(
                            PodGcController.of(context, options.deletion().terminatedPodThreshold()), 1)),
            new ControllerDescriptor(
                    "replicaset-controller",
                    "replicaset",
                    (context, options) -> started(
                            ReplicaSetController.ofReplicaSets(
                                    context, options.rules().replicaSetConfig()),
                            options.syncs("replicaset"))),
            new ControllerDescriptor(
                    "replicationcontroller-controller",
                    "replicationcontroller",
                    (context, options) -> started(
                            ReplicaSetController.ofReplicationControllers(
                                    context, options.rules().replicaSetConfig()),
                            options.syncs("replicationcontroller"))),
            new ControllerDescriptor("resourcequota-controller", "resourcequota", (context, options) -> {
                var config = new ResourceQuotaConfig(options.deletion().quotaSyncPeriod());
                var controller = ResourceQuotaController.of(context, config);
                return started(controller, options.deletion().quotaSyncs());
            }),
            new ControllerDescriptor(
                    "root-ca-certificate-publisher-controller",
                    "root-ca-cert-publisher",
                    (context, options) -> started(
                            RootCaPublisher.of(
                                    context, options.serviceAccounts().rootCa()),
                            1)),
            new ControllerDescriptor(
                    "serviceaccount-controller",
                    "serviceaccount",
                    (context, options) -> started(ServiceAccountController.of(context), 1)),
            new ControllerDescriptor(
                    "ttl-controller", "ttl", (context, options) -> started(TtlController.of(context), 5)),
            new ControllerDescriptor("serviceaccount-token-controller", "serviceaccount-token", (context, options) -> {
                KeyPair keys = options.serviceAccounts().keys();
                if (keys == null) {
                    return null;
                }
                var controller = ServiceAccountTokenController.of(
                        context, keys, options.serviceAccounts().rootCa());
                return started(controller, options.serviceAccounts().tokenSyncs());
            }),
            new ControllerDescriptor(
                    "statefulset-controller",
                    "statefulset",
                    (context, options) -> started(StatefulSetController.of(context), options.syncs("statefulset"))),
            new ControllerDescriptor(
                    "ttl-after-finished-controller",
                    "ttl-after-finished",
                    (context, options) ->
                            started(TtlAfterFinishedController.of(context), options.syncs("ttl-after-finished"))));

    private ControllerTable() {}

    /** Returns the controllers that run unless a flag disables them. */
    static List<ControllerDescriptor> onByDefault() {
        return ALL.stream().filter(ControllerDescriptor::isOnByDefault).toList();
    }

    private static Controller started(Controller controller, int workers) {
        controller.start(workers);
        return controller;
    }

    /** The names of the table in alphabetical order, for the help. */
    static final class Names implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return ALL.stream().map(ControllerDescriptor::name).sorted().iterator();
        }
    }
}
