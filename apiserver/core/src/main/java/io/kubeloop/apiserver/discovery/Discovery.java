/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.discovery;

import io.kubeloop.apiserver.registry.AggregatedApis;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The discovery documents of a server. They show every change of the registry at once. Thread-safe; the first request
 * after a change builds all documents, which is O(number of resources).
 */
public final class Discovery {

    // Racy on purpose: two threads may build equal documents of one version of the registry.
    private final ResourceRegistry registry;
    private final Supplier<AggregatedApis> apis;

    /** Null before the first request: what a start adds to the registry would make earlier documents useless. */
    private volatile @Nullable Documents current;

    /**
     * Describes the resources of a registry and of other servers.
     *
     * @param apis returns the group versions of other servers
     */
    public Discovery(ResourceRegistry registry, Supplier<AggregatedApis> apis) {
        this.registry = registry;
        this.apis = apis;
    }

    /**
     * A document with the identity of its content.
     *
     * @param content the document
     * @param json the encoded document, which controllers read every 30 s; shared, callers must not modify it
     * @param tag the value of the {@code ETag} header, without quotes
     */
    public record Tagged(JsonObject content, byte[] json, String tag) {

        static Tagged of(JsonObject content) {
            try {
                byte[] json = content.toBytes();
                byte[] digest = MessageDigest.getInstance("SHA-512").digest(json);
                return new Tagged(content, json, HexFormat.of().withUpperCase().formatHex(digest));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("the JDK lacks SHA-512", e);
            }
        }
    }

    /** The versions of the registry and of the other servers' groups, from which documents were built. */
    private record Versions(long registry, long apis) {}

    private record Documents(Versions version, Map<String, JsonObject> plain, Map<String, Tagged> aggregated) {

        static Documents of(ResourceRegistry registry, AggregatedApis apis) {
            Versions version =
                    new Versions(registry.version(), apis.version()); // before the content, which may be newer
            Map<String, AggregatedApis.Version> remote = new TreeMap<>();
            apis.versions().forEach(api -> remote.put(api.path(), api));
            Map<String, JsonObject> plain = new TreeMap<>();
            List<JsonObject> groups = new ArrayList<>();
            List<JsonObject> coreItems = new ArrayList<>();
            List<JsonObject> items = new ArrayList<>();
            for (DiscoveredGroup group : DiscoveredGroup.merged(DiscoveredGroup.of(registry), apis)) {
                boolean isCore = group.name().isEmpty();
                group.versions().forEach((name, resources) -> {
                    String path = (isCore ? "/api/" : "/apis/") + group.apiVersion(name);
                    if (!remote.containsKey(path)) {
                        plain.put(path, resourceList(group.apiVersion(name), resources));
                    }
                });
                (isCore ? coreItems : items).add(aggregated(group, remote));
                if (isCore) {
                    plain.put("/api", coreVersions(group));
                } else {
                    groups.add(group(JsonObject.builder(), group));
                    plain.put(
                            "/apis/" + group.name(),
                            group(JsonObject.builder().put("kind", "APIGroup").put("apiVersion", "v1"), group));
                }
            }
            plain.put(
                    "/apis",
                    JsonObject.builder()
                            .put("kind", "APIGroupList")
                            .put("apiVersion", "v1")
                            .put("groups", JsonArray.of(groups))
                            .build());
            return new Documents(
                    version,
                    plain,
                    Map.of("/api", Tagged.of(aggregatedList(coreItems)), "/apis", Tagged.of(aggregatedList(items))));
        }

        private static JsonObject coreVersions(DiscoveredGroup core) {
            return JsonObject.builder()
                    .put("kind", "APIVersions")
                    .put(
                            "versions",
                            JsonArray.ofStrings(List.copyOf(core.versions().keySet())))
                    .build();
        }

        private static JsonObject group(JsonObject.Builder document, DiscoveredGroup group) {
            List<JsonObject> versions = group.versions().keySet().stream()
                    .map(version -> JsonObject.EMPTY
                            .with("groupVersion", group.apiVersion(version))
                            .with("version", version))
                    .toList();
            return document.put("name", group.name())
                    .put("versions", JsonArray.of(versions))
                    .put("preferredVersion", versions.get(0))
                    .build();
        }

        private static JsonObject resourceList(String groupVersion, List<DiscoveredResource> resources) {
            JsonObject.Builder list = JsonObject.builder().put("kind", "APIResourceList");
            if (groupVersion.contains("/")) {
                list.put("apiVersion", "v1"); // as upstream, which omits it for the core group
            }
            return list.put("groupVersion", groupVersion)
                    .put(
                            "resources",
                            JsonArray.of(resources.stream()
                                    .flatMap(resource -> resource.entries().stream())
                                    .toList()))
                    .build();
        }

        private static JsonObject aggregatedList(List<JsonObject> items) {
            return JsonObject.builder()
                    .put("kind", "APIGroupDiscoveryList")
                    .put("apiVersion", "apidiscovery.k8s.io/v2")
                    .put("metadata", JsonObject.EMPTY)
                    .put("items", JsonArray.of(items))
                    .build();
        }

        private static JsonObject aggregated(DiscoveredGroup group, Map<String, AggregatedApis.Version> remote) {
            List<JsonObject> versions = new ArrayList<>();
            group.versions().forEach((name, resources) -> {
                AggregatedApis.Version api = remote.get("/apis/" + group.apiVersion(name));
                JsonArray listed = api == null
                        ? JsonArray.of(resources.stream()
                                .map(DiscoveredResource::aggregated)
                                .toList())
                        : api.resources();
                JsonObject.Builder version = JsonObject.builder().put("version", name);
                if (listed != null) {
                    version.put("resources", listed);
                }
                versions.add(version.put("freshness", api == null || api.isCurrent() ? "Current" : "Stale")
                        .build());
            });
            JsonObject metadata =
                    group.name().isEmpty() ? JsonObject.EMPTY : JsonObject.EMPTY.with("name", group.name());
            return JsonObject.builder()
                    .put("metadata", metadata)
                    .put("versions", JsonArray.of(versions))
                    .build();
        }
    }

    private Documents documents() {
        Documents known = current;
        AggregatedApis now = apis.get();
        if (known == null || !known.version().equals(new Versions(registry.version(), now.version()))) {
            known = Documents.of(registry, now);
            current = known;
        }
        return known;
    }

    /** Returns the document at a path without a slash at its end; null if there is none. */
    public @Nullable JsonObject at(String path) {
        return documents().plain().get(path);
    }

    /** Returns the aggregated document at {@code /api} or {@code /apis}; null for other paths. */
    public @Nullable Tagged aggregatedAt(String path) {
        return documents().aggregated().get(path);
    }

    /** Returns whether the group is served; the core group has no name. */
    public boolean hasGroup(String name) {
        return documents().plain().containsKey("/apis/" + name);
    }

    /** Returns all paths with a document, sorted. */
    public List<String> paths() {
        return List.copyOf(documents().plain().keySet());
    }
}
