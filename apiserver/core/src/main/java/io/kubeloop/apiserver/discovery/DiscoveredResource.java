/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.discovery;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.ServedResource.Subresource;
import io.kubeloop.json.schema.ApiResource;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * One served version of a resource, in the two forms of discovery.
 *
 * @param resource the resource
 * @param custom whether a custom resource definition brings it
 * @param storageVersionHash identifies the version in which the objects are stored; empty if they are not stored
 */
record DiscoveredResource(ServedResource resource, boolean custom, String storageVersionHash) {

    private static final int HASH_BYTES = 8;

    static DiscoveredResource of(ResourceStore store) {
        ResourceType<?> type = store.type();
        for (ApiResource known : TypeCatalog.kubernetes().resources()) {
            if (known.plural().equals(type.plural())
                    && known.group().equals(type.group())
                    && known.version().equals(type.version())) {
                return new DiscoveredResource(store.resource(), false, known.storageVersionHash());
            }
        }
        String apiVersion = store.definition().storage().apiVersion();
        return new DiscoveredResource(store.resource(), true, hash(apiVersion + "/" + type.kind()));
    }

    /** Upstream: {@code endpoints/discovery/storageversionhash.go}. */
    private static String hash(String groupVersionKind) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(groupVersionKind.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, HASH_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK lacks SHA-256", e);
        }
    }

    /** Returns the entries of an {@code APIResourceList} for the resource and its subresources. */
    List<JsonObject> entries() {
        ResourceType<?> type = resource.type();
        JsonObject.Builder entry = JsonObject.builder()
                .put("name", type.plural())
                .put("singularName", resource.singular())
                .put("namespaced", type.isNamespaced())
                .put("kind", type.kind())
                .put("verbs", JsonArray.ofStrings(resource.verbs()));
        putNames(entry);
        if (!storageVersionHash.isEmpty()) {
            entry.put("storageVersionHash", storageVersionHash);
        }
        List<JsonObject> entries = new ArrayList<>();
        entries.add(entry.build());
        resource.subresources().forEach(subresource -> entries.add(subresource(subresource)));
        return entries;
    }

    private JsonObject subresource(Subresource subresource) {
        ResourceType<?> type = resource.type();
        JsonObject.Builder entry = JsonObject.builder()
                .put("name", type.plural() + "/" + subresource.name())
                .put("singularName", "")
                .put("namespaced", type.isNamespaced());
        if (isElsewhere(subresource)) {
            entry.put("group", subresource.group()).put("version", subresource.version());
        }
        return entry.put("kind", subresource.kind())
                .put("verbs", JsonArray.ofStrings(subresource.verbs()))
                .build();
    }

    /** Returns the {@code APIResourceDiscovery} of aggregated discovery. */
    JsonObject aggregated() {
        ResourceType<?> type = resource.type();
        JsonObject.Builder entry = JsonObject.builder()
                .put("resource", type.plural())
                .put("responseKind", responseKind(custom, type.group(), type.version(), type.kind()))
                .put("scope", type.isNamespaced() ? "Namespaced" : "Cluster")
                .put("singularResource", resource.singular())
                .put("verbs", JsonArray.ofStrings(resource.verbs()));
        putNames(entry);
        if (!resource.subresources().isEmpty()) {
            List<JsonValue> subresources = new ArrayList<>();
            for (Subresource subresource : resource.subresources()) {
                subresources.add(JsonObject.builder()
                        .put("subresource", subresource.name())
                        .put(
                                "responseKind",
                                responseKind(
                                        custom || isElsewhere(subresource),
                                        subresource.group(),
                                        subresource.version(),
                                        subresource.kind()))
                        .put("verbs", JsonArray.ofStrings(subresource.verbs()))
                        .build());
            }
            entry.put("subresources", JsonArray.of(subresources));
        }
        return entry.build();
    }

    /** As upstream, the group and version of the server's own resources are empty where they are those of the list. */
    private static JsonObject responseKind(boolean whole, String group, String version, String kind) {
        return JsonObject.builder()
                .put("group", whole ? group : "")
                .put("version", whole ? version : "")
                .put("kind", kind)
                .build();
    }

    private boolean isElsewhere(Subresource subresource) {
        return !subresource.group().equals(resource.type().group())
                || !subresource.version().equals(resource.type().version());
    }

    private void putNames(JsonObject.Builder entry) {
        if (!resource.shortNames().isEmpty()) {
            entry.put("shortNames", JsonArray.ofStrings(resource.shortNames()));
        }
        if (!resource.categories().isEmpty()) {
            entry.put("categories", JsonArray.ofStrings(resource.categories()));
        }
    }
}
