/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.function.Function;

/** Applies manifests to a server, as {@code kubectl apply --server-side --force-conflicts} does. Stateless. */
record ManifestWriter(ApiBackend backend, Function<ApiRequest, ServerResponse> server) {

    void apply(JsonObject object) {
        String kind = object.string("kind");
        String name = object.string("metadata", "name");
        ServedResource resource = backend.registry().findKind(object.string("apiVersion"), kind);
        if (resource == null || name.isEmpty()) {
            throw new IllegalArgumentException("cannot apply " + kind + " \"" + name + "\": "
                    + (resource == null
                            ? "the server does not serve " + kind + " of " + object.string("apiVersion")
                            : "it has no name"));
        }
        ResourceType<?> type = resource.type();
        String namespace = object.string("metadata", "namespace");
        String collection = type.collectionPath(type.isNamespaced() && namespace.isEmpty() ? "default" : namespace);
        ServerResponse response = server.apply(ApiRequest.of(
                "PATCH",
                collection + "/" + name,
                Map.of("fieldManager", "manifests", "force", "true", "fieldValidation", "Strict"),
                new ApiRequest.Body(Patch.Type.APPLY.contentType(), object.toBytes())));
        if (response instanceof ServerResponse.Document document && document.code() >= 400) {
            throw new ApiException(
                    "cannot apply " + kind + " \"" + name + "\"",
                    JsonCodec.standard().decodeStatus(document.code(), document.bytes()),
                    null);
        }
    }
}
