package io.kubeloop.apiserver.kinds;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.apiserver.kinds.validation.DeploymentTypes;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.apiserver.machinery.ServedResource.Subresource;
import java.util.List;

/** The table of the built-in resources. */
final class ResourceTable {

    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> NAMESPACE_VERBS =
            List.of("create", "delete", "get", "list", "patch", "update", "watch");
    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    private static final ResourceType<?> RESOURCE_QUOTAS = generic("resourcequotas", "ResourceQuota");

    static final List<ServedResource> ALL = List.of(
            of(
                    ResourceTypes.PODS,
                    "pod",
                    List.of("po"),
                    List.of("all"),
                    status(ResourceTypes.PODS),
                    new Subresource("binding", "", "v1", "Binding", List.of("create")),
                    new Subresource("ephemeralcontainers", "", "v1", "Pod", SUBRESOURCE_VERBS),
                    new Subresource("eviction", "policy", "v1", "Eviction", List.of("create"))),
            of(ResourceTypes.SERVICES, "service", List.of("svc"), List.of("all"), status(ResourceTypes.SERVICES)),
            of(ResourceTypes.ENDPOINTS, "endpoints", List.of("ep"), List.of()),
            of(ResourceTypes.ENDPOINT_SLICES, "endpointslice", List.of(), List.of()),
            of(ResourceTypes.EVENTS, "event", List.of("ev"), List.of()),
            new ServedResource(
                    ResourceTypes.NAMESPACES,
                    "namespace",
                    List.of("ns"),
                    List.of(),
                    NAMESPACE_VERBS,
                    List.of(
                            status(ResourceTypes.NAMESPACES),
                            new Subresource("finalize", "", "v1", "Namespace", List.of("update")))),
            of(ResourceTypes.NODES, "node", List.of("no"), List.of(), status(ResourceTypes.NODES)),
            of(ResourceTypes.SERVICE_ACCOUNTS, "serviceaccount", List.of("sa"), List.of()),
            of(
                    ResourceTypes.REPLICATION_CONTROLLERS,
                    "replicationcontroller",
                    List.of("rc"),
                    List.of("all"),
                    status(ResourceTypes.REPLICATION_CONTROLLERS),
                    scale()),
            of(
                    ResourceTypes.REPLICA_SETS,
                    "replicaset",
                    List.of("rs"),
                    List.of("all"),
                    status(ResourceTypes.REPLICA_SETS),
                    scale()),
            of(
                    DeploymentTypes.DEPLOYMENTS,
                    "deployment",
                    List.of("deploy"),
                    List.of("all"),
                    status(DeploymentTypes.DEPLOYMENTS),
                    scale()),
            of(ResourceTypes.LEASES, "lease", List.of(), List.of()),
            of(generic("configmaps", "ConfigMap"), "configmap", List.of("cm"), List.of()),
            of(generic("secrets", "Secret"), "secret", List.of(), List.of()),
            of(generic("podtemplates", "PodTemplate"), "podtemplate", List.of(), List.of()),
            of(generic("limitranges", "LimitRange"), "limitrange", List.of("limits"), List.of()),
            of(RESOURCE_QUOTAS, "resourcequota", List.of("quota"), List.of(), status(RESOURCE_QUOTAS)));

    private ResourceTable() {}

    private static ServedResource of(
            ResourceType<?> type,
            String singular,
            List<String> shortNames,
            List<String> categories,
            Subresource... subs) {
        return new ServedResource(type, singular, shortNames, categories, ALL_VERBS, List.of(subs));
    }

    private static ResourceType<?> generic(String plural, String kind) {
        return ResourceTypes.generic("", "v1", plural, kind, ResourceType.Scope.NAMESPACED);
    }

    private static Subresource status(ResourceType<?> type) {
        return new Subresource("status", type.group(), type.version(), type.kind(), SUBRESOURCE_VERBS);
    }

    private static Subresource scale() {
        return new Subresource("scale", "autoscaling", "v1", "Scale", SUBRESOURCE_VERBS);
    }
}
