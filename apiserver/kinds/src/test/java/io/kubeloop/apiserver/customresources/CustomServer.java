/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server with the built-in kinds, and short forms of the requests that tests send. Thread-safe. */
final class CustomServer implements AutoCloseable {

    static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
    static final String MERGE = "application/merge-patch+json";
    static final String APPLY = "application/apply-patch+yaml";

    private final ApiServer server = ApiServer.builder().build(BuiltInKinds.create());

    /** An answer: its code, and the object in its body. */
    record Answer(int code, JsonObject body, List<String> warnings) {}

    Answer post(String path, JsonValue body) {
        return send("POST", path, body, "application/json");
    }

    Answer get(String path) {
        return send("GET", path, null, "");
    }

    Answer delete(String path) {
        return send("DELETE", path, null, "");
    }

    Answer merge(String path, String patch) {
        return send("PATCH", path, JsonValue.parse(patch), MERGE);
    }

    Answer apply(String path, JsonValue config) {
        return send("PATCH", path + "?fieldManager=test", config, APPLY);
    }

    Answer send(String method, String path, @Nullable JsonValue body, String type) {
        ServerResponse.Document document = (ServerResponse.Document) server.handle(request(method, path, body, type));
        return new Answer(document.code(), JsonObject.parse(bytes(document)), document.warnings());
    }

    ServerResponse.Frames watch(String path) {
        return (ServerResponse.Frames) server.handle(request("GET", path, null, ""));
    }

    private static ApiRequest request(String method, String path, @Nullable JsonValue body, String type) {
        int question = path.indexOf('?');
        Map<String, String> query = new LinkedHashMap<>();
        if (question >= 0) {
            for (String parameter : path.substring(question + 1).split("&", -1)) {
                int equals = parameter.indexOf('=');
                query.put(
                        parameter.substring(0, equals),
                        URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return ApiRequest.of(
                method,
                question < 0 ? path : path.substring(0, question),
                query,
                body == null ? null : new ApiRequest.Body(type, content(body)));
    }

    /** A body that is no JSON object is sent as text. */
    private static byte[] content(JsonValue body) {
        return body instanceof JsonString text ? text.value().getBytes(StandardCharsets.UTF_8) : body.toBytes();
    }

    private static byte[] bytes(ServerResponse.Document document) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (ByteBuffer piece : document.pieces()) {
            byte[] bytes = new byte[piece.remaining()];
            piece.duplicate().get(bytes);
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    ApiServer server() {
        return server;
    }

    @Override
    public void close() {
        server.close();
    }

    /** Returns a definition of a kind {@code Widget} in version {@code v1}, whose objects have any content. */
    static JsonObject definition(String plural, String kind) {
        return JsonObject.parse("""
                {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                 "metadata": {"name": "PLURAL.example.com"},
                 "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "PLURAL", "kind": "KIND"},
                  "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
                   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                    "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}}]}}
                """.replace("PLURAL", plural).replace("KIND", kind));
    }

    /** Returns an object of a kind. */
    static JsonObject object(String kind, String name) {
        return JsonObject.EMPTY
                .with("apiVersion", "example.com/v1")
                .with("kind", kind)
                .with("metadata", JsonObject.EMPTY.with("name", name));
    }
}
