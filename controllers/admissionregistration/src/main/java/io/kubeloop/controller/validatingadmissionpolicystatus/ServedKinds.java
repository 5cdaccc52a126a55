/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.validatingadmissionpolicystatus;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Transport;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.discovery.DiscoveryReader;
import io.kubeloop.controller.discovery.JsonRequests;
import io.kubeloop.json.tree.JsonObject;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/** The kinds of the server, by its discovery documents, and their schemas, by its OpenAPI documents. Thread-safe. */
final class ServedKinds implements KindSchemas {

    private final JsonRequests requests;

    private final Transport transport;
    private volatile ApiCatalog catalog = ApiCatalog.EMPTY;

    ServedKinds(Transport transport) {
        requests = new JsonRequests(transport);
        this.transport = transport;
    }

    @Override
    public Collection<ServedKind> kindsOf(String group, String version, String resource, boolean isRefreshed) {
        if (isRefreshed || catalog.resources().isEmpty()) {
            catalog = new DiscoveryReader(transport).read(); // two requests
        }
        return catalog.resources().stream()
                .map(ApiCatalog.Entry::type)
                .filter(type -> type.version().equals(version)
                        && (group.isEmpty() || type.group().equals(group)))
                .filter(type -> isCalled(type, resource.toLowerCase(Locale.ROOT)))
                .map(type -> new ServedKind(type.group(), type.version(), type.kind()))
                .toList();
    }

    /** The singular of a resource is its kind in lower case. */
    private static boolean isCalled(ResourceType<?> type, String resource) {
        return type.plural().equals(resource)
                || type.kind().toLowerCase(Locale.ROOT).equals(resource);
    }

    @Override
    public JsonObject document(String group, String version) {
        String path = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
        try {
            return requests.send(
                    ApiRequest.get("/openapi/v3/" + path, Map.of()), new JsonRequests.Target("", "openapi", path));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return JsonObject.EMPTY;
            }
            throw e;
        }
    }
}
