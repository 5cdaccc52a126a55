/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes a cluster as its user does. Stateless. */
record UserChanges(ControlPlane plane, ApiServer server) {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    static UserChanges of(ControlPlane plane) {
        return new UserChanges(plane, plane.server());
    }

    void apply(String source, String manifests) {
        plane.apply(source, new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)));
    }

    /** Repeats the change when the object was changed meanwhile. */
    void edit(String apiVersion, String kind, String namespace, String name, UnaryOperator<JsonObject> change) {
        String path = path(apiVersion, kind, namespace, name);
        ServerResponse.Document answer;
        do {
            JsonObject object = JsonObject.parse(required("GET", path, null).bytes());
            answer = send("PUT", path, change.apply(object));
        } while (answer.code() == CONFLICT);
        require(answer, "PUT " + path);
    }

    void delete(String apiVersion, String kind, String namespace, String name) {
        String path = path(apiVersion, kind, namespace, name);
        ServerResponse.Document answer = send("DELETE", path, null);
        if (answer.code() != NOT_FOUND) {
            require(answer, "DELETE " + path);
        }
    }

    void delete(String source, String manifests) {
        for (JsonObject object : Manifests.read(source, manifests)) {
            String namespace = object.string("metadata", "namespace");
            delete(
                    object.string("apiVersion"),
                    object.string("kind"),
                    namespace.isEmpty() ? "default" : namespace,
                    object.string("metadata", "name"));
        }
    }

    private String path(String apiVersion, String kind, String namespace, String name) {
        ResourceStore store = server.backend().storeOfKind(apiVersion, kind);
        if (store == null) {
            throw new IllegalArgumentException("the server does not serve " + kind + " of " + apiVersion);
        }
        ResourceType<?> type = store.type();
        return type.collectionPath(type.isNamespaced() ? namespace : "") + "/" + name;
    }

    private ServerResponse.Document required(String method, String path, @Nullable JsonObject body) {
        return require(send(method, path, body), method + " " + path);
    }

    private ServerResponse.Document send(String method, String path, @Nullable JsonObject body) {
        ApiRequest.Body content = body == null ? null : ApiRequest.Body.json(body.toBytes());
        return (ServerResponse.Document) server.handle(ApiRequest.of(method, path, Map.of(), content));
    }

    private static ServerResponse.Document require(ServerResponse.Document answer, String what) {
        if (answer.code() >= 300) {
            throw new ApiException(what, JsonCodec.standard().decodeStatus(answer.code(), answer.bytes()), null);
        }
        return answer;
    }
}
