/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/**
 * A server with custom resource definitions: one of this process, or the one of the system property {@code
 * kubeloop.kinds.server}, such as {@code http://127.0.0.1:8001} of {@code kubectl proxy}.
 */
final class KindServer implements AutoCloseable {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final HttpApiServer http = HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT);
    private final URI uri =
            URI.create(System.getProperty("kubeloop.kinds.server", http.uri().toString()));
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Creates definitions, which the server must accept without a warning. */
    void define(Map<String, JsonObject> definitions) {
        definitions.forEach((name, definition) -> {
            HttpResponse<String> answer = request("POST", DEFINITIONS, definition);
            assertThat(answer.statusCode()).as("%s: %s", name, answer.body()).isEqualTo(201);
            assertThat(answer.headers().allValues("Warning")).as(name).isEmpty();
        });
        // kube-apiserver serves a kind some time after its definition.
        await().until(() -> definitions.values().stream().allMatch(this::isServed));
    }

    private boolean isServed(JsonObject definition) {
        JsonObject spec = definition.object("spec");
        return spec.array("versions")
                .objects()
                .filter(version -> version.bool("served"))
                .map(version -> "/apis/" + spec.string("group") + "/" + version.string("name") + "/"
                        + spec.string("names", "plural"))
                .allMatch(path -> read(path, false).startsWith("200"));
    }

    /** Sends an object; returns the answer. */
    JsonObject send(String method, String path, JsonObject object) {
        return JsonObject.parse(request(method, path, object).body());
    }

    /** Returns the warnings and the body of an answer. */
    String read(String path, boolean asTable) {
        HttpResponse<String> answer = answer(HttpRequest.newBuilder(uri.resolve(path))
                .header("Accept", asTable ? "application/json;as=Table;v=v1;g=meta.k8s.io" : "application/json"));
        return answer.statusCode() + " " + answer.headers().allValues("Warning") + answer.body();
    }

    private HttpResponse<String> request(String method, String path, JsonObject object) {
        return answer(HttpRequest.newBuilder(uri.resolve(path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(object.toString())));
    }

    private HttpResponse<String> answer(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        http.close();
        server.close();
    }
}
