/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerProvider;
import io.kubeloop.controller.bootstrap.BootstrapSignerController;
import io.kubeloop.controller.bootstrap.TokenCleanerController;
import io.kubeloop.controller.certificates.CertificateApprovingController;
import io.kubeloop.controller.certificates.CertificateCleanerController;
import io.kubeloop.controller.certificates.CertificateSigningController;
import io.kubeloop.controller.certificates.PodCertificateCleanerController;
import io.kubeloop.controller.certificates.TrustBundlePublisher;
import io.kubeloop.controller.clusterroleaggregation.ClusterRoleAggregationController;
import io.kubeloop.controller.cronjob.CronJobController;
import io.kubeloop.controller.daemonset.DaemonSetController;
import io.kubeloop.controller.deployment.DeploymentController;
import io.kubeloop.controller.devicetainteviction.DeviceTaintEvictionController;
import io.kubeloop.controller.disruption.DisruptionController;
import io.kubeloop.controller.endpoint.EndpointController;
import io.kubeloop.controller.endpointslice.EndpointSliceController;
import io.kubeloop.controller.endpointslice.EndpointSliceMirroringController;
import io.kubeloop.controller.garbagecollector.GarbageCollectorController;
import io.kubeloop.controller.job.JobController;
import io.kubeloop.controller.namespace.NamespaceController;
import io.kubeloop.controller.nodeipam.NodeIpamController;
import io.kubeloop.controller.nodelifecycle.NodeLifecycleController;
import io.kubeloop.controller.podautoscaling.HorizontalPodAutoscalerController;
import io.kubeloop.controller.podgc.PodGcController;
import io.kubeloop.controller.replicaset.ReplicaSetController;
import io.kubeloop.controller.resourceclaim.ResourceClaimController;
import io.kubeloop.controller.resourcequota.ResourceQuotaController;
import io.kubeloop.controller.serviceaccount.LegacyTokenCleanerController;
import io.kubeloop.controller.serviceaccount.RootCaPublisher;
import io.kubeloop.controller.serviceaccount.ServiceAccountController;
import io.kubeloop.controller.serviceaccount.ServiceAccountTokenController;
import io.kubeloop.controller.servicecidrs.ServiceCidrController;
import io.kubeloop.controller.statefulset.StatefulSetController;
import io.kubeloop.controller.storageversionmigrator.StorageVersionMigratorController;
import io.kubeloop.controller.tainteviction.TaintEvictionController;
import io.kubeloop.controller.ttl.TtlController;
import io.kubeloop.controller.ttlafterfinished.TtlAfterFinishedController;
import io.kubeloop.controller.volume.AttributesClassProtectionController;
import io.kubeloop.controller.volume.ClaimProtectionController;
import io.kubeloop.controller.volume.VolumeProtectionController;
import io.kubeloop.controller.volume.attachdetach.AttachDetachController;
import io.kubeloop.controller.volume.ephemeral.EphemeralVolumeController;
import io.kubeloop.controller.volume.expand.VolumeExpansionController;
import io.kubeloop.controller.volume.persistentvolume.PersistentVolumeController;
import io.kubeloop.controller.volume.selinuxwarning.SelinuxWarningController;
import java.security.KeyPair;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The controllers of a manager, by name (upstream: {@code NewControllerDescriptors}). Immutable.
 *
 * @param descriptors the entries in the order in which a manager starts them
 */
public record ControllerTable(List<ControllerDescriptor> descriptors) {

    /**
     * The controllers of Kubernetes that this project implements. A new controller is a new entry.
     */
    public static final ControllerTable BUILT_IN = new ControllerTable(List.of(
            new ControllerDescriptor(
                    "endpoints-controller",
                    "endpoint",
                    (context, options) ->
                            started(new EndpointController(context, options.endpoints()), options.syncs("endpoint"))),
            new ControllerDescriptor(
                    "disruption-controller",
                    "disruption",
                    (context, options) -> started(DisruptionController.of(context), options.syncs("disruption"))),
            new ControllerDescriptor(
                    "endpointslice-controller",
                    "endpointslice",
                    (context, options) -> started(
                            EndpointSliceController.of(context, options.slices()), options.syncs("endpointslice"))),
            new ControllerDescriptor(
                    "endpointslice-mirroring-controller",
                    "endpointslicemirroring",
                    (context, options) -> started(
                            EndpointSliceMirroringController.of(context, options.mirroring()),
                            options.syncs("endpointslicemirroring"))),
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
                    "",
                    (context, options) -> started(BootstrapSignerController.of(context), 1)),
            new ControllerDescriptor(
                    "token-cleaner-controller",
                    "tokencleaner",
                    false,
                    "",
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
                            HorizontalPodAutoscalerController.of(context, options.autoscaling()),
                            options.syncs("horizontalpodautoscaling"))),
            new ControllerDescriptor(
                    "garbage-collector-controller",
                    "garbagecollector",
                    (context, options) ->
                            started(GarbageCollectorController.of(context), options.syncs("garbagecollector"))),
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
            new ControllerDescriptor(
                    "namespace-controller",
                    "namespace",
                    (context, options) ->
                            started(NamespaceController.of(context, options.namespaces()), options.syncs("namespace"))),
            new ControllerDescriptor(
                    "pod-garbage-collector-controller",
                    "podgc",
                    (context, options) -> started(PodGcController.of(context, options.terminatedPodThreshold()), 1)),
            new ControllerDescriptor(
                    "replicaset-controller",
                    "replicaset",
                    (context, options) -> started(
                            ReplicaSetController.ofReplicaSets(context, options.replicaSets()),
                            options.syncs("replicaset"))),
            new ControllerDescriptor(
                    "replicationcontroller-controller",
                    "replicationcontroller",
                    (context, options) -> started(
                            ReplicaSetController.ofReplicationControllers(context, options.replicaSets()),
                            options.syncs("replicationcontroller"))),
            new ControllerDescriptor(
                    "resourcequota-controller",
                    "resourcequota",
                    (context, options) -> started(
                            ResourceQuotaController.of(context, options.quotas()), options.syncs("resourcequota"))),
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
                return started(controller, options.syncs("serviceaccount-token"));
            }),
            new ControllerDescriptor(
                    "statefulset-controller",
                    "statefulset",
                    (context, options) -> started(StatefulSetController.of(context), options.syncs("statefulset"))),
            new ControllerDescriptor(
                    "clusterrole-aggregation-controller",
                    "clusterrole-aggregation",
                    (context, options) -> started(ClusterRoleAggregationController.of(context), 5)),
            new ControllerDescriptor(
                    "node-ipam-controller",
                    "nodeipam",
                    (context, options) -> options.nodeIpam().clusterRanges().isEmpty()
                            ? null
                            : started(NodeIpamController.of(context, options.nodeIpam()), 30)),
            new ControllerDescriptor(
                    "node-lifecycle-controller",
                    "nodelifecycle",
                    (context, options) -> started(NodeLifecycleController.of(context, options.nodeLifecycle()), 1)),
            new ControllerDescriptor(
                    "taint-eviction-controller",
                    "taint-eviction-controller",
                    (context, options) -> started(TaintEvictionController.of(context), 8)),
            new ControllerDescriptor(
                    "persistentvolume-binder-controller",
                    "persistentvolume-binder",
                    (context, options) ->
                            started(PersistentVolumeController.of(context, options.persistentVolumes()), 1)),
            new ControllerDescriptor(
                    "persistentvolume-attach-detach-controller",
                    "attachdetach",
                    (context, options) -> started(AttachDetachController.of(context, options.attachDetach()), 1)),
            new ControllerDescriptor(
                    "persistentvolume-expander-controller",
                    "persistentvolume-expander",
                    (context, options) -> started(VolumeExpansionController.of(context), 1)),
            new ControllerDescriptor(
                    "ephemeral-volume-controller",
                    "ephemeral-volume",
                    (context, options) ->
                            started(EphemeralVolumeController.of(context), options.syncs("ephemeral-volume"))),
            new ControllerDescriptor(
                    "resourceclaim-controller",
                    "resource-claim-controller",
                    (context, options) -> startedIf(
                            ResourceClaimController.ifServed(context), options.syncs("resource-claim-controller"))),
            new ControllerDescriptor(
                    "device-taint-eviction-controller",
                    "device-taint-eviction-controller",
                    (context, options) -> startedIf(
                            DeviceTaintEvictionController.ifServed(context),
                            options.syncs("device-taint-eviction-controller"))),
            new ControllerDescriptor(
                    "service-cidr-controller",
                    "service-cidr-controller",
                    (context, options) -> started(ServiceCidrController.of(context), 5)),
            optional("validatingadmissionpolicy-status-controller"),
            new ControllerDescriptor(
                    "persistentvolumeclaim-protection-controller",
                    "pvc-protection",
                    (context, options) -> started(ClaimProtectionController.of(context), 1)),
            new ControllerDescriptor(
                    "persistentvolume-protection-controller",
                    "pv-protection",
                    (context, options) -> started(VolumeProtectionController.of(context), 1)),
            new ControllerDescriptor(
                    "volumeattributesclass-protection-controller",
                    "volumeattributesclass-protection-controller",
                    (context, options) -> startedIf(AttributesClassProtectionController.ifServed(context), 1)),
            new ControllerDescriptor(
                    "selinux-warning-controller",
                    "selinux-warning-controller",
                    false,
                    "",
                    (context, options) -> started(SelinuxWarningController.of(context), 1)),
            new ControllerDescriptor(
                    "ttl-after-finished-controller",
                    "ttl-after-finished",
                    (context, options) ->
                            started(TtlAfterFinishedController.of(context), options.syncs("ttl-after-finished"))),
            new ControllerDescriptor(
                    "storage-version-migrator-controller",
                    "svm",
                    (context, options) -> startedIf(StorageVersionMigratorController.ifServed(context), 5)),
            gated("storageversion-garbage-collector-controller", "storage-version-gc", "StorageVersionAPI"),
            new ControllerDescriptor(
                    "podcertificaterequest-cleaner-controller",
                    "podcertificaterequest-cleaner-controller",
                    (context, options) -> startedIf(PodCertificateCleanerController.ifServed(context), 1)),
            new ControllerDescriptor(
                    "kube-apiserver-serving-clustertrustbundle-publisher-controller",
                    "kube-apiserver-serving-clustertrustbundle-publisher-controller",
                    (context, options) -> startedIf(
                            TrustBundlePublisher.of(
                                    context, options.serviceAccounts().rootCa()),
                            1)),
            gated("podgroup-protection-controller", "", "GenericWorkload"),
            gated("resourcepoolstatusrequest-controller", "", "DRAResourcePoolStatus")));

    /** A controller of a module that a program may leave out. */
    private static ControllerDescriptor optional(String name) {
        return new ControllerDescriptor(
                name,
                name,
                (context, options) -> ControllerProvider.find(name)
                        .map(provider -> started(provider.create(context), options.syncs(name)))
                        .orElse(null));
    }

    /** Starts a controller unless it is absent. */
    private static @Nullable Controller startedIf(@Nullable Controller controller, int workers) {
        return controller == null ? null : started(controller, workers);
    }

    private static ControllerDescriptor gated(String name, String alias, String gate) {
        return ControllerDescriptor.skipped(
                name, alias.isEmpty() ? name : alias, "the feature gate " + gate + " is off in Kubernetes 1.37");
    }

    /**
     * Copies the entries.
     *
     * @throws IllegalArgumentException if two entries share a name or alias
     */
    public ControllerTable {
        descriptors = List.copyOf(descriptors);
        Set<String> names = new HashSet<>();
        for (ControllerDescriptor descriptor : descriptors) {
            for (String name : Set.copyOf(List.of(descriptor.name(), descriptor.alias()))) {
                if (!names.add(name)) {
                    throw new IllegalArgumentException("two controllers are called " + name);
                }
            }
        }
    }

    /**
     * Returns a table that also has this controller; it starts last.
     *
     * @throws IllegalArgumentException if its name or alias is taken
     */
    public ControllerTable with(ControllerDescriptor controller) {
        List<ControllerDescriptor> all = new ArrayList<>(descriptors);
        all.add(controller);
        return new ControllerTable(all);
    }

    /** Returns the names of the controllers, in the order of the table. */
    public List<String> names() {
        return descriptors.stream().map(ControllerDescriptor::name).toList();
    }

    /**
     * Returns the controllers that a selection enables, in the order of the table.
     *
     * @throws IllegalArgumentException if the selection names a controller that the table does not have
     */
    public List<ControllerDescriptor> select(ControllerSelection selection) {
        String unknown = selection.entries().stream()
                .filter(entry -> !entry.equals("*"))
                .map(entry -> entry.startsWith("-") ? entry.substring(1) : entry)
                .filter(name -> !isKnown(name))
                .map(name -> "\"" + name + "\"")
                .collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    unknown + " is not in the list of known controllers: " + String.join(", ", names()));
        }
        return descriptors.stream().filter(selection::isEnabled).toList();
    }

    private boolean isKnown(String name) {
        return descriptors.stream().anyMatch(controller -> controller.isCalled(name));
    }

    static Controller started(Controller controller, int workers) {
        controller.start(workers);
        return controller;
    }
}
