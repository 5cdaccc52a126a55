package io.kubeloop.apiserver.registry;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.machinery.ServedResource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of served resources. Immutable. */
public final class ResourceRegistry {

    private final List<ServedResource> resources;

    /** Creates a table of these resources. */
    public ResourceRegistry(List<ServedResource> resources) {
        this.resources = List.copyOf(resources);
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
}
