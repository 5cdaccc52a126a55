package io.kubeloop.apiserver.http;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.apiserver.machinery.ServedResource.Subresource;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The discovery documents: the served groups, versions and resources. Created once; immutable. */
final class Discovery {

    private final Map<String, JsonObject> documents = new TreeMap<>();

    Discovery(ResourceRegistry registry) {
        documents.put("/api", coreVersions());
        List<JsonObject> groups = new ArrayList<>();
        for (String groupVersion : registry.groupVersions()) {
            List<ServedResource> resources = registry.all().stream()
                    .filter(resource -> resource.type().apiVersion().equals(groupVersion))
                    .toList();
            ResourceType<?> any = resources.get(0).type();
            boolean isCore = any.group().isEmpty();
            documents.put((isCore ? "/api/" : "/apis/") + groupVersion, resourceList(groupVersion, resources));
            if (!isCore) {
                JsonObject group = group(any.group(), groupVersion, any.version());
                groups.add(group);
                documents.put(
                        "/apis/" + any.group(),
                        JsonObject.builder()
                                .put("kind", "APIGroup")
                                .put("apiVersion", "v1")
                                .build()
                                .with("name", any.group())
                                .with("versions", group.array("versions"))
                                .with("preferredVersion", group.object("preferredVersion")));
            }
        }
        documents.put(
                "/apis",
                JsonObject.builder()
                        .put("kind", "APIGroupList")
                        .put("apiVersion", "v1")
                        .put("groups", JsonArray.of(groups))
                        .build());
    }

    /** Returns the document at a path; null if there is none. */
    @Nullable
    JsonObject at(String path) {
        return documents.get(path);
    }

    /** Returns all paths with a document, sorted. */
    List<String> paths() {
        return List.copyOf(documents.keySet());
    }

    private static JsonObject coreVersions() {
        return JsonObject.builder()
                .put("kind", "APIVersions")
                .put("versions", JsonArray.ofStrings(List.of("v1")))
                .put("serverAddressByClientCIDRs", JsonArray.EMPTY)
                .build();
    }

    private static JsonObject group(String name, String groupVersion, String version) {
        JsonObject entry = JsonObject.EMPTY.with("groupVersion", groupVersion).with("version", version);
        return JsonObject.EMPTY
                .with("name", name)
                .with("versions", JsonArray.of(entry))
                .with("preferredVersion", entry);
    }

    private static JsonObject resourceList(String groupVersion, List<ServedResource> resources) {
        List<JsonValue> entries = new ArrayList<>();
        for (ServedResource resource : resources) {
            ResourceType<?> type = resource.type();
            JsonObject.Builder entry = JsonObject.builder()
                    .put("name", type.plural())
                    .put("singularName", resource.singular())
                    .put("namespaced", type.isNamespaced())
                    .put("kind", type.kind())
                    .put("verbs", JsonArray.ofStrings(resource.verbs()));
            if (!resource.shortNames().isEmpty()) {
                entry.put("shortNames", JsonArray.ofStrings(resource.shortNames()));
            }
            if (!resource.categories().isEmpty()) {
                entry.put("categories", JsonArray.ofStrings(resource.categories()));
            }
            entries.add(entry.build());
            resource.subresources().forEach(subresource -> entries.add(subresource(type, subresource)));
        }
        return JsonObject.builder()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", groupVersion)
                .put("resources", JsonArray.of(entries))
                .build();
    }

    private static JsonObject subresource(ResourceType<?> type, Subresource subresource) {
        JsonObject.Builder entry = JsonObject.builder()
                .put("name", type.plural() + "/" + subresource.name())
                .put("singularName", "")
                .put("namespaced", type.isNamespaced());
        if (!subresource.group().equals(type.group()) || !subresource.version().equals(type.version())) {
            entry.put("group", subresource.group()).put("version", subresource.version());
        }
        return entry.put("kind", subresource.kind())
                .put("verbs", JsonArray.ofStrings(subresource.verbs()))
                .build();
    }
}
