/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.webhooks;

import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.typed.GoText;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address behind a service (upstream: {@code apiserver/pkg/util/proxy}). As no network forwards cluster
 * addresses, the server connects to an endpoint of the service, or to its external name. Immutable; thread-safe.
 */
final class ServiceAddresses {

    private static final int DEFAULT_PORT = 443;

    private final ApiBackend backend;

    ServiceAddresses(ApiBackend backend) {
        this.backend = backend;
    }

    /**
     * Returns the URL of an endpoint.
     *
     * @param url the URL with the name of the service
     * @param reference the service
     * @throws IOException if the service does not exist, or has no endpoint
     */
    URI resolve(URI url, JsonObject reference) throws IOException {
        Snapshot now = backend.storage().snapshot();
        String namespace = reference.string("namespace");
        String name = reference.string("name");
        StoredObject service = get(now, "Service", namespace, name);
        if (service == null) {
            throw new IOException("service " + GoText.quoted(name) + " not found");
        }
        Long wanted = reference.number("port");
        long port = wanted == null ? DEFAULT_PORT : wanted;
        JsonObject spec = service.tree().object("spec");
        if (spec.string("type").equals("ExternalName")) {
            return at(url, spec.string("externalName"), port);
        }
        JsonObject servicePort = spec.array("ports")
                .objects()
                .filter(each -> Objects.equals(each.number("port"), port))
                .findFirst()
                .orElseThrow(
                        () -> new IOException("no service port " + port + " found for service " + GoText.quoted(name)));
        StoredObject endpoints = get(now, "Endpoints", namespace, name);
        JsonArray subsets =
                endpoints == null ? JsonArray.EMPTY : endpoints.tree().array("subsets");
        for (JsonObject subset : subsets.objects().toList()) {
            List<JsonObject> addresses = subset.array("addresses").objects().toList();
            for (JsonObject endpoint : subset.array("ports").objects().toList()) {
                Long number = endpoint.number("port");
                if (!addresses.isEmpty()
                        && number != null
                        && endpoint.string("name").equals(servicePort.string("name"))) {
                    return at(url, addresses.get(0).string("ip"), number);
                }
            }
        }
        throw new IOException("no endpoints available for service " + GoText.quoted(name));
    }

    private @Nullable StoredObject get(Snapshot now, String kind, String namespace, String name) {
        ResourceStore store = Objects.requireNonNull(backend.storeOfKind("v1", kind), kind);
        return now.get(store.bucket(), store.key(namespace, name));
    }

    private static URI at(URI url, String host, long port) {
        String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        return URI.create("https://" + authority + url.getRawPath() + "?" + url.getRawQuery());
    }
}
