/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.aggregation;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts the {@code APIResourceList} of a server without aggregated discovery (upstream: {@code
 * apiserver/pkg/endpoints.ConvertGroupVersionIntoToDiscovery}).
 */
final class LegacyDiscovery {

    private LegacyDiscovery() {}

    /** Returns the entries of aggregated discovery for the entries of a list. */
    static JsonArray aggregated(JsonArray listed) {
        Map<String, JsonObject> resources = new LinkedHashMap<>();
        Map<String, List<JsonObject>> subresources = new LinkedHashMap<>();
        for (JsonObject entry : listed.objects().toList()) {
            String name = entry.string("name");
            int slash = name.indexOf('/');
            if (slash < 0) {
                resources.put(name, resource(entry));
            } else {
                String parent = name.substring(0, slash);
                JsonObject scope = JsonObject.EMPTY.with("resource", parent).with("scope", scope(entry));
                resources.putIfAbsent(parent, scope);
                subresources
                        .computeIfAbsent(parent, key -> new ArrayList<>())
                        .add(JsonObject.EMPTY
                                .with("subresource", name.substring(slash + 1))
                                .with("responseKind", kind(entry))
                                .with("verbs", entry.array("verbs")));
            }
        }
        subresources.forEach((parent, of) -> resources.computeIfPresent(
                parent, (name, resource) -> resource.with("subresources", JsonArray.of(of))));
        return JsonArray.of(List.copyOf(resources.values()));
    }

    private static JsonObject resource(JsonObject entry) {
        JsonObject resource = JsonObject.EMPTY
                .with("resource", entry.string("name"))
                .with("responseKind", kind(entry))
                .with("scope", scope(entry))
                .with("singularResource", entry.string("singularName"))
                .with("verbs", entry.array("verbs"));
        for (String names : List.of("shortNames", "categories")) {
            if (entry.has(names)) {
                resource = resource.with(names, entry.array(names));
            }
        }
        return resource;
    }

    private static String scope(JsonObject entry) {
        return entry.bool("namespaced") ? "Namespaced" : "Cluster";
    }

    private static JsonObject kind(JsonObject entry) {
        return JsonObject.EMPTY
                .with("group", entry.string("group"))
                .with("version", entry.string("version"))
                .with("kind", entry.string("kind"));
    }
}
