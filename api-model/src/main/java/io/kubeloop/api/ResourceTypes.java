/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.kubeloop.api.ResourceType.Scope;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.api.core.Secret;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.policy.PodDisruptionBudget;
import java.util.List;

/** The resources that have a record of their own. */
public final class ResourceTypes {

    /** {@code persistentvolumes}, as objects without a record. */
    public static final ResourceType<GenericObject> PERSISTENT_VOLUMES =
            generic("", "v1", "persistentvolumes", "PersistentVolume", ResourceType.Scope.CLUSTER);

    /** Pods. */
    public static final ResourceType<Pod> PODS =
            new ResourceType<>("", "v1", "pods", "Pod", Scope.NAMESPACED, Pod.class);
    /** Services. */
    public static final ResourceType<Service> SERVICES =
            new ResourceType<>("", "v1", "services", "Service", Scope.NAMESPACED, Service.class);
    /** Endpoints. */
    public static final ResourceType<Endpoints> ENDPOINTS =
            new ResourceType<>("", "v1", "endpoints", "Endpoints", Scope.NAMESPACED, Endpoints.class);
    /** EndpointSlices. Kubernetes serves version v1 since 1.21. */
    public static final ResourceType<EndpointSlice> ENDPOINT_SLICES = new ResourceType<>(
            "discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", Scope.NAMESPACED, EndpointSlice.class);
    /** Events of the core group. */
    public static final ResourceType<Event> EVENTS =
            new ResourceType<>("", "v1", "events", "Event", Scope.NAMESPACED, Event.class);
    /** ConfigMaps. */
    public static final ResourceType<ConfigMap> CONFIG_MAPS =
            new ResourceType<>("", "v1", "configmaps", "ConfigMap", Scope.NAMESPACED, ConfigMap.class);
    /** Secrets. */
    public static final ResourceType<Secret> SECRETS =
            new ResourceType<>("", "v1", "secrets", "Secret", Scope.NAMESPACED, Secret.class);
    /** Namespaces. */
    public static final ResourceType<Namespace> NAMESPACES =
            new ResourceType<>("", "v1", "namespaces", "Namespace", Scope.CLUSTER, Namespace.class);
    /** Nodes. */
    public static final ResourceType<Node> NODES =
            new ResourceType<>("", "v1", "nodes", "Node", Scope.CLUSTER, Node.class);
    /** ServiceAccounts. */
    public static final ResourceType<ServiceAccount> SERVICE_ACCOUNTS =
            new ResourceType<>("", "v1", "serviceaccounts", "ServiceAccount", Scope.NAMESPACED, ServiceAccount.class);
    /** ReplicationControllers. */
    public static final ResourceType<ReplicationController> REPLICATION_CONTROLLERS = new ResourceType<>(
            "", "v1", "replicationcontrollers", "ReplicationController", Scope.NAMESPACED, ReplicationController.class);
    /** Deployments. */
    public static final ResourceType<Deployment> DEPLOYMENTS =
            new ResourceType<>("apps", "v1", "deployments", "Deployment", Scope.NAMESPACED, Deployment.class);
    /** ReplicaSets. */
    public static final ResourceType<ReplicaSet> REPLICA_SETS =
            new ResourceType<>("apps", "v1", "replicasets", "ReplicaSet", Scope.NAMESPACED, ReplicaSet.class);
    /** Jobs. */
    public static final ResourceType<Job> JOBS =
            new ResourceType<>("batch", "v1", "jobs", "Job", Scope.NAMESPACED, Job.class);
    /** CronJobs. */
    public static final ResourceType<CronJob> CRON_JOBS =
            new ResourceType<>("batch", "v1", "cronjobs", "CronJob", Scope.NAMESPACED, CronJob.class);
    /** StatefulSets. */
    public static final ResourceType<StatefulSet> STATEFUL_SETS =
            new ResourceType<>("apps", "v1", "statefulsets", "StatefulSet", Scope.NAMESPACED, StatefulSet.class);
    /** DaemonSets. */
    public static final ResourceType<DaemonSet> DAEMON_SETS =
            new ResourceType<>("apps", "v1", "daemonsets", "DaemonSet", Scope.NAMESPACED, DaemonSet.class);
    /** ControllerRevisions. */
    public static final ResourceType<ControllerRevision> CONTROLLER_REVISIONS = new ResourceType<>(
            "apps", "v1", "controllerrevisions", "ControllerRevision", Scope.NAMESPACED, ControllerRevision.class);
    /** PersistentVolumeClaims. */
    public static final ResourceType<PersistentVolumeClaim> PERSISTENT_VOLUME_CLAIMS = new ResourceType<>(
            "", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", Scope.NAMESPACED, PersistentVolumeClaim.class);
    /** PodDisruptionBudgets. */
    public static final ResourceType<PodDisruptionBudget> POD_DISRUPTION_BUDGETS = new ResourceType<>(
            "policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", Scope.NAMESPACED, PodDisruptionBudget.class);
    /** CertificateSigningRequests. */
    public static final ResourceType<CertificateSigningRequest> CERTIFICATE_SIGNING_REQUESTS = new ResourceType<>(
            "certificates.k8s.io",
            "v1",
            "certificatesigningrequests",
            "CertificateSigningRequest",
            Scope.CLUSTER,
            CertificateSigningRequest.class);
    /** HorizontalPodAutoscalers. */
    public static final ResourceType<HorizontalPodAutoscaler> HORIZONTAL_POD_AUTOSCALERS = new ResourceType<>(
            "autoscaling",
            "v2",
            "horizontalpodautoscalers",
            "HorizontalPodAutoscaler",
            Scope.NAMESPACED,
            HorizontalPodAutoscaler.class);
    /** Leases. */
    public static final ResourceType<Lease> LEASES =
            new ResourceType<>("coordination.k8s.io", "v1", "leases", "Lease", Scope.NAMESPACED, Lease.class);

    private static final List<ResourceType<?>> ALL = List.of(
            PODS,
            SERVICES,
            ENDPOINTS,
            ENDPOINT_SLICES,
            EVENTS,
            CONFIG_MAPS,
            SECRETS,
            NAMESPACES,
            NODES,
            SERVICE_ACCOUNTS,
            REPLICATION_CONTROLLERS,
            DEPLOYMENTS,
            REPLICA_SETS,
            JOBS,
            CRON_JOBS,
            STATEFUL_SETS,
            DAEMON_SETS,
            CONTROLLER_REVISIONS,
            PERSISTENT_VOLUME_CLAIMS,
            POD_DISRUPTION_BUDGETS,
            CERTIFICATE_SIGNING_REQUESTS,
            HORIZONTAL_POD_AUTOSCALERS,
            LEASES);

    private ResourceTypes() {}

    /** Returns every resource of this class. */
    public static List<ResourceType<?>> all() {
        return ALL;
    }

    /** Returns a resource whose objects are decoded as {@link GenericObject}. */
    public static ResourceType<GenericObject> generic(
            String group, String version, String plural, String kind, Scope scope) {
        return new ResourceType<>(group, version, plural, kind, scope, GenericObject.class);
    }

    /**
     * Returns the same resource, with requests for metadata only. Use it for names, labels and owners of many or
     * large objects. If the server cannot leave out the other fields, the codec skips them.
     */
    public static ResourceType<PartialObjectMetadata> metadataOf(ResourceType<?> type) {
        return new ResourceType<>(
                type.group(), type.version(), type.plural(), type.kind(), type.scope(), PartialObjectMetadata.class);
    }
}
