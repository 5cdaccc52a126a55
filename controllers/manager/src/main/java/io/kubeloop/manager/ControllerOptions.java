/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.controller.certificates.SigningConfig;
import io.kubeloop.controller.endpoint.EndpointControllerConfig;
import io.kubeloop.controller.endpointslice.EndpointSliceConfig;
import io.kubeloop.controller.namespace.NamespaceControllerConfig;
import io.kubeloop.controller.nodeipam.NodeIpamConfig;
import io.kubeloop.controller.nodelifecycle.NodeLifecycleConfig;
import io.kubeloop.controller.podautoscaling.PodAutoscalingConfig;
import io.kubeloop.controller.replicaset.ReplicaSetControllerConfig;
import io.kubeloop.controller.resourcequota.ResourceQuotaConfig;
import io.kubeloop.controller.volume.attachdetach.AttachDetachConfig;
import io.kubeloop.controller.volume.persistentvolume.PersistentVolumeConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.HashMap;
import java.util.Map;

/**
 * The options of single controllers, with the defaults of kube-controller-manager 1.37. {@code
 * ControllerOptionsBuilder} changes several of them.
 *
 * @param syncs the number of objects that a controller syncs in parallel, each on its own thread, by the controller's
 *     short name; the table decides for controllers that are missing here
 * @param endpoints the options of endpoints-controller
 * @param slices the options of endpointslice-controller
 * @param mirroring the options of endpointslice-mirroring-controller
 * @param replicaSets the options of replicaset-controller and replicationcontroller-controller
 * @param autoscaling the options of horizontal-pod-autoscaler-controller
 * @param namespaces the options of namespace-controller
 * @param quotas the options of resourcequota-controller
 * @param terminatedPodThreshold the finished pods that pod-garbage-collector-controller keeps; 0 for all; default 12500
 * @param nodeLifecycle grace periods and eviction rates of nodes
 * @param nodeIpam the address ranges of nodes
 * @param persistentVolumes how claims are bound
 * @param attachDetach how volumes are attached to nodes
 * @param serviceAccounts the options of the controllers of service accounts
 * @param signing the authorities that sign certificates; none disables certificatesigningrequest-signing-controller
 */
@RecordBuilder
public record ControllerOptions(
        Map<String, Integer> syncs,
        EndpointControllerConfig endpoints,
        EndpointSliceConfig slices,
        EndpointSliceConfig mirroring,
        ReplicaSetControllerConfig replicaSets,
        PodAutoscalingConfig autoscaling,
        NamespaceControllerConfig namespaces,
        ResourceQuotaConfig quotas,
        int terminatedPodThreshold,
        NodeLifecycleConfig nodeLifecycle,
        NodeIpamConfig nodeIpam,
        PersistentVolumeConfig persistentVolumes,
        AttachDetachConfig attachDetach,
        ServiceAccountOptions serviceAccounts,
        SigningConfig signing) {

    /** The defaults of kube-controller-manager. */
    public static final ControllerOptions DEFAULT = new ControllerOptions(
            Map.ofEntries(
                    Map.entry("endpoint", 5),
                    Map.entry("endpointslice", 5),
                    Map.entry("endpointslicemirroring", 5),
                    Map.entry("deployment", 5),
                    Map.entry("replicaset", 5),
                    Map.entry("replicationcontroller", 5),
                    Map.entry("statefulset", 5),
                    Map.entry("daemonset", 2),
                    Map.entry("disruption", 1),
                    Map.entry("job", 5),
                    Map.entry("cronjob", 5),
                    Map.entry("ttl-after-finished", 5),
                    Map.entry("horizontalpodautoscaling", 5),
                    Map.entry("garbagecollector", 20),
                    Map.entry("namespace", 10),
                    Map.entry("resourcequota", 5),
                    Map.entry("ephemeral-volume", 5),
                    Map.entry("resource-claim-controller", 50),
                    Map.entry("device-taint-eviction-controller", 8),
                    Map.entry("validatingadmissionpolicy-status-controller", 5),
                    Map.entry("serviceaccount-token", 5)),
            EndpointControllerConfig.DEFAULT,
            EndpointSliceConfig.DEFAULT,
            EndpointSliceConfig.MIRRORING,
            ReplicaSetControllerConfig.DEFAULT,
            PodAutoscalingConfig.DEFAULT,
            NamespaceControllerConfig.DEFAULT,
            ResourceQuotaConfig.DEFAULT,
            12500,
            NodeLifecycleConfig.DEFAULT,
            NodeIpamConfig.NONE,
            PersistentVolumeConfig.DEFAULT,
            AttachDetachConfig.DEFAULT,
            ServiceAccountOptions.DEFAULT,
            new SigningConfig(Map.of(), SigningConfig.YEAR));

    /** Copies the map and checks that its numbers are at least 1. */
    public ControllerOptions {
        syncs = Map.copyOf(syncs);
        syncs.forEach((name, count) -> {
            if (count < 1) {
                throw new IllegalArgumentException("syncs of " + name + " must be at least 1, got " + count);
            }
        });
    }

    /**
     * Returns the number of objects that a controller syncs in parallel.
     *
     * @param alias the short name of the controller
     * @throws IllegalArgumentException if the options have no number for it
     */
    public int syncs(String alias) {
        Integer count = syncs.get(alias);
        if (count == null) {
            throw new IllegalArgumentException("no number of syncs for the controller " + alias);
        }
        return count;
    }

    /** Returns a copy in which these numbers replace those of the same controllers. */
    public ControllerOptions withSyncsOf(Map<String, Integer> changed) {
        Map<String, Integer> all = new HashMap<>(syncs);
        all.putAll(changed);
        return ControllerOptionsBuilder.builder(this).syncs(all).build();
    }
}
