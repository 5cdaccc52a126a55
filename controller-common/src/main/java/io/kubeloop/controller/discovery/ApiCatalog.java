/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceType.Scope;
import io.kubeloop.api.ResourceTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a server serves at one moment (upstream: {@code discovery.ServerPreferredResources} and the REST
 * mapper). Immutable.
 */
public final class ApiCatalog {

    /** The catalog before the first discovery, which is empty. */
    public static final ApiCatalog EMPTY = new ApiCatalog(List.of(), Map.of());

    private final List<Entry> resources;
    private final Map<String, String> failures;
    private final Map<String, Entry> byKind;

    /**
     * A resource in one version.
     *
     * @param type its path and kind; it requests metadata only
     * @param verbs the operations that it supports, such as {@code deletecollection}
     * @param isPreferred whether this is the version that the server prefers for the resource
     */
    public record Entry(ResourceType<PartialObjectMetadata> type, Set<String> verbs, boolean isPreferred) {

        /** Copies the verbs. */
        public Entry {
            verbs = Set.copyOf(verbs);
        }

        /** Returns whether the resource supports all of these operations. */
        public boolean supports(String... wanted) {
            return verbs.containsAll(List.of(wanted));
        }
    }

    /**
     * Creates a catalog.
     *
     * @param resources the resources; the order decides when two resources have the same kind
     * @param failures the group versions whose resources are unknown, each with the reason
     */
    public ApiCatalog(List<Entry> resources, Map<String, String> failures) {
        this.resources = List.copyOf(resources);
        this.failures = new TreeMap<>(failures);
        this.byKind = new HashMap<>();
        for (Entry entry : this.resources) {
            byKind.putIfAbsent(kindKey(entry.type().apiVersion(), entry.type().kind()), entry);
        }
        for (Entry entry : this.resources) {
            ResourceType<?> type = entry.type();
            byKind.putIfAbsent(kindKey(type.apiVersion(), type.kind().toLowerCase(Locale.ROOT)), entry);
            Scope scope = type.isNamespaced() ? Scope.NAMESPACED : Scope.CLUSTER;
            addList(type, type.kind() + "List", scope);
            addList(type, "List", Scope.CLUSTER);
        }
    }

    /**
     * Adds the kind of a list. As upstream, it has a guessed resource that no server serves, so each read finds
     * nothing.
     */
    private void addList(ResourceType<?> of, String kind, Scope scope) {
        ResourceType<?> guessed =
                ResourceTypes.generic(of.group(), of.version(), kind.toLowerCase(Locale.ROOT) + "s", kind, scope);
        byKind.putIfAbsent(
                kindKey(of.apiVersion(), kind), new Entry(ResourceTypes.metadataOf(guessed), Set.of(), false));
    }

    /** Returns every resource in every version. */
    public List<Entry> resources() {
        return resources;
    }

    /** Returns every resource once, in the version that the server prefers. O(n). */
    public List<Entry> preferred() {
        List<Entry> preferred = new ArrayList<>();
        for (Entry entry : resources) {
            if (entry.isPreferred()) {
                preferred.add(entry);
            }
        }
        return preferred;
    }

    /**
     * Returns the resource of a kind; null if the server does not serve it, or if its group version failed.
     *
     * @param apiVersion group and version, such as {@code apps/v1}
     * @param kind its name, as it is or in lower case; the kind of a list has a resource that does not exist
     */
    public @Nullable Entry ofKind(String apiVersion, String kind) {
        return byKind.get(kindKey(apiVersion, kind));
    }

    /**
     * Returns the group versions whose resources are unknown, such as {@code metrics.k8s.io/v1beta1}, with the reasons.
     */
    public Map<String, String> failures() {
        return Map.copyOf(failures);
    }

    /**
     * Returns the failures as one text, as upstream's {@code ErrGroupDiscoveryFailed} does; empty if there are none.
     */
    public String failureText() {
        return failures.isEmpty()
                ? ""
                : failures.entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + entry.getValue())
                        .collect(Collectors.joining(", ", "unable to retrieve the complete list of server APIs: ", ""));
    }

    /**
     * Returns this catalog with the resources that an earlier one had in the group versions that failed now. O(n).
     */
    public ApiCatalog withFailedOf(ApiCatalog earlier) {
        if (failures.isEmpty()) {
            return this;
        }
        List<Entry> all = new ArrayList<>(resources);
        earlier.resources.stream()
                .filter(entry -> failures.containsKey(entry.type().apiVersion()))
                .forEach(all::add);
        return new ApiCatalog(all, failures);
    }

    private static String kindKey(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }
}
