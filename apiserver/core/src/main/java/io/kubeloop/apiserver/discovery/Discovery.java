/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.discovery;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The discovery documents of a server. They show every change of the registry at once. Thread-safe; the first request
 * after a change builds all documents, which is O(number of resources).
 */
public final class Discovery {

    // Racy on purpose: two threads may build equal documents of one version of the registry.
    private final ResourceRegistry registry;
    private volatile Documents current;

    /** Describes the resources of this registry. */
    public Discovery(ResourceRegistry registry) {
        this.registry = registry;
        current = Documents.of(registry);
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

    private record Documents(long version, Map<String, JsonObject> plain, Map<String, Tagged> aggregated) {

        static Documents of(ResourceRegistry registry) {
            long version = registry.version(); // before the content, which may already be newer
            Map<String, JsonObject> plain = new TreeMap<>();
            List<JsonObject> groups = new ArrayList<>();
            List<JsonObject> coreItems = new ArrayList<>();
            List<JsonObject> items = new ArrayList<>();
            for (DiscoveredGroup group : DiscoveredGroup.of(registry)) {
                boolean isCore = group.name().isEmpty();
                group.versions()
                        .forEach((name, resources) -> plain.put(
                                (isCore ? "/api/" : "/apis/") + group.apiVersion(name),
                                resourceList(group.apiVersion(name), resources)));
                (isCore ? coreItems : items).add(aggregated(group));
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

        private static JsonObject aggregated(DiscoveredGroup group) {
            List<JsonObject> versions = new ArrayList<>();
            group.versions()
                    .forEach((name, resources) -> versions.add(JsonObject.builder()
                            .put("version", name)
                            .put(
                                    "resources",
                                    JsonArray.of(resources.stream()
                                            .map(DiscoveredResource::aggregated)
                                            .toList()))
                            .put("freshness", "Current")
                            .build()));
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
        if (known.version() != registry.version()) {
            known = Documents.of(registry);
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

    /**
     * A group with its versions, the preferred version first.
     *
     * @param name the name; empty for the core group
     * @param custom whether a custom resource definition brings the group
     * @param versions the resources of each version
     */
    private record DiscoveredGroup(String name, boolean custom, Map<String, List<DiscoveredResource>> versions) {

        /**
         * Returns the groups of a registry: those of the server in its order, those of custom resources by name, and
         * those whose documents are computed. Custom resources in a group of the server do not change the order of its
         * versions.
         */
        static List<DiscoveredGroup> of(ResourceRegistry registry) {
            List<DiscoveredGroup> all = ofStores(registry.stores());
            for (ComputedApi api : registry.computed()) {
                Map<String, List<DiscoveredResource>> versions = new LinkedHashMap<>();
                api.versions().forEach(version -> versions.put(version, List.of()));
                all.add(new DiscoveredGroup(api.group(), false, versions));
            }
            return all;
        }

        private static List<DiscoveredGroup> ofStores(List<ResourceStore> stores) {
            Map<String, DiscoveredGroup> groups = new LinkedHashMap<>();
            Map<String, DiscoveredGroup> customGroups = new TreeMap<>();
            for (ResourceStore store : stores) {
                DiscoveredResource resource = DiscoveredResource.of(store);
                String name = store.type().group();
                DiscoveredGroup group = groups.get(name);
                if (group == null && resource.custom()) {
                    group = customGroups.computeIfAbsent(
                            name,
                            key -> new DiscoveredGroup(key, true, new TreeMap<>(PreferredVersions.PREFERRED_FIRST)));
                } else if (group == null) {
                    group = new DiscoveredGroup(name, false, new LinkedHashMap<>());
                    groups.put(name, group);
                }
                group.versions
                        .computeIfAbsent(store.type().version(), version -> new ArrayList<>())
                        .add(resource);
            }
            List<DiscoveredGroup> all = new ArrayList<>(groups.values());
            all.addAll(customGroups.values());
            return all;
        }

        /** Returns a version of this group as objects state it. */
        String apiVersion(String version) {
            return name.isEmpty() ? version : name + "/" + version;
        }

        /**
         * Orders the versions of a group by preference: stable before beta before alpha, then the larger numbers, then
         * all other names by their text (upstream: {@code apimachinery/pkg/version} {@code
         * CompareKubeAwareVersionStrings}).
         */
        private static final class PreferredVersions {

            /** The preferred version is the first. */
            static final Comparator<String> PREFERRED_FIRST = PreferredVersions::compare;

            private static final Pattern VERSION = Pattern.compile("v([1-9]\\d{0,8})(?:(alpha|beta)([1-9]\\d{0,8}))?");

            private PreferredVersions() {}

            private static int compare(String one, String other) {
                Matcher first = VERSION.matcher(one);
                Matcher second = VERSION.matcher(other);
                boolean isVersion = first.matches();
                if (isVersion != second.matches()) {
                    return isVersion ? -1 : 1;
                }
                if (!isVersion) {
                    return one.compareTo(other);
                }
                int byStability = Integer.compare(stability(second), stability(first));
                int byMajor = Integer.compare(number(second.group(1)), number(first.group(1)));
                int byMinor = Integer.compare(number(second.group(3)), number(first.group(3)));
                return byStability != 0 ? byStability : byMajor != 0 ? byMajor : byMinor;
            }

            private static int stability(Matcher version) {
                return version.group(2) == null ? 2 : version.group(2).equals("beta") ? 1 : 0;
            }

            private static int number(String digits) {
                return digits == null ? 0 : Integer.parseInt(digits);
            }
        }
    }
}
