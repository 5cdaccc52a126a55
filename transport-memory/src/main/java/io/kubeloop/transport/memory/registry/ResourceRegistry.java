package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.transport.memory.machinery.ServedResource;
import io.kubeloop.transport.memory.machinery.ServedResource.Subresource;
import io.kubeloop.transport.memory.validation.DeploymentTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of served resources. Immutable. */
public final class ResourceRegistry {

    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<String> NAMESPACE_VERBS =
            List.of("create", "delete", "get", "list", "patch", "update", "watch");
    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    private static final ResourceType<?> RESOURCE_QUOTAS = generic("resourcequotas", "ResourceQuota");

    private static final ResourceRegistry BUILT_IN = new ResourceRegistry(List.of(
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
            of(RESOURCE_QUOTAS, "resourcequota", List.of("quota"), List.of(), status(RESOURCE_QUOTAS))));

    private final List<ServedResource> resources;

    private ResourceRegistry(List<ServedResource> resources) {
        this.resources = List.copyOf(resources);
    }

    /** Returns the built-in resources of every server. */
    public static ResourceRegistry builtIn() {
        return BUILT_IN;
    }

    /** Returns all resources, core group first. */
    public List<ServedResource> all() {
        return resources;
    }

    /** Returns the resource with this group, version and plural; null if it is not served. */
    public @Nullable ServedResource find(String group, String version, String plural) {
        for (ServedResource resource : resources) {
            ResourceType<?> type = resource.type();
            if (type.plural().equals(plural)
                    && type.group().equals(group)
                    && type.version().equals(version)) {
                return resource;
            }
        }
        return null;
    }

    /** Returns the resource with this {@code apiVersion} and {@code kind}; null if it is not served. */
    public @Nullable ServedResource findKind(String apiVersion, String kind) {
        for (ServedResource resource : resources) {
            if (resource.type().kind().equals(kind)
                    && resource.type().apiVersion().equals(apiVersion)) {
                return resource;
            }
        }
        return null;
    }

    /** Returns the served group versions in the form of {@code apiVersion}, without duplicates. */
    public List<String> groupVersions() {
        return resources.stream()
                .map(resource -> resource.type().apiVersion())
                .distinct()
                .toList();
    }

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
