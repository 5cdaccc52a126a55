/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A server with custom resource definitions. */
final class KindServer implements AutoCloseable {

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();

    /** Creates definitions, which the server must accept without a warning. */
    void define(Map<String, JsonObject> definitions) {
        definitions.forEach((name, definition) -> {
            ApiResponse answer = request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
            assertThat(answer.code()).as("%s: %s", name, text(answer)).isEqualTo(201);
            assertThat(answer.headers()).as(name).doesNotContainKey("Warning");
        });
    }

    /** Sends an object; returns the answer. */
    JsonObject send(String method, String path, JsonObject object) {
        return JsonObject.parse(text(request(method, path, object)));
    }

    /** Reads a path in one form of the answer. */
    JsonObject read(String path, Map<String, String> query, String accept) {
        return JsonObject.parse(
                text(server.transport().execute(new ApiRequest("GET", path, query, accept, null, null))));
    }

    private ApiResponse request(String method, String path, JsonObject object) {
        byte[] body = object.toString().getBytes(StandardCharsets.UTF_8);
        return server.transport().execute(ApiRequest.of(method, path, Map.of(), ApiRequest.Body.json(body)));
    }

    private static String text(ApiResponse answer) {
        try (InputStream body = answer.body()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
