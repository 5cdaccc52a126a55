/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The HTTP front end with the real server, as a foreign client sees it over a socket. */
class HttpApiIntegrationTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final HttpApiServer httpServer = HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void createPod() throws Exception {
        assertThat(send("POST", PODS, pod("web-1")).statusCode()).isEqualTo(201);
    }

    @AfterEach
    void close() {
        httpServer.close();
        server.close();
    }

    private static String pod(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name
                + "\",\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";
    }

    @Test
    void list_asTable_showsThePod() throws Exception {
        JsonObject table = JsonObject.parse(send("GET", PODS + "?limit=500&labelSelector=app%3Dweb", TABLE, "")
                .body());
        assertThat(table.array("rows").objects())
                .extracting(row -> row.array("cells").strings().limit(3).toList())
                .containsExactly(List.of("web-1", "0/1", "Pending"));
    }

    @Test
    void watch_fromAVersion_showsWhatHappensNext() throws Exception {
        String version = JsonObject.parse(send("GET", PODS, "").body()).string("metadata", "resourceVersion");
        HttpRequest watch = HttpRequest.newBuilder(
                        URI.create(httpServer.uri() + PODS + "?watch=true&resourceVersion=" + version))
                .timeout(Duration.ofSeconds(10)) // for the headers, which arrive before the first event
                .build();
        try (BufferedReader frames = new BufferedReader(new InputStreamReader(
                client.send(watch, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
            send("POST", PODS, pod("web-2"));
            JsonObject event = JsonObject.parse(frames.readLine());
            assertThat(event.string("type")).isEqualTo("ADDED");
            assertThat(event.string("object", "metadata", "name")).isEqualTo("web-2");
        }
    }

    /** The deprecated watch path ends correctly over HTTP too; a path with a name returns the object. */
    @Test
    void watch_ofOneObject_isByAnOldPathOrNone() throws Exception {
        String old = PODS.replace("/api/v1/", "/api/v1/watch/") + "/web-1?timeoutSeconds=1";
        HttpResponse<String> watched = send("GET", old, "");
        assertThat(watched.statusCode()).isEqualTo(200);
        JsonObject event = JsonObject.parse(watched.body());
        assertThat(event.string("type")).isEqualTo("ADDED");
        assertThat(event.string("object", "metadata", "name")).isEqualTo("web-1");

        HttpResponse<String> read = send("GET", PODS + "/web-1?watch=true", "");
        assertThat(JsonObject.parse(read.body()).string("metadata", "name")).isEqualTo("web-1");
        assertThat(send("GET", PODS + "/none?watch=true", "").statusCode()).isEqualTo(404);
    }

    @Test
    void get_absentPod_isTheServersOwnStatus() throws Exception {
        HttpResponse<String> response = send("GET", PODS + "/none", TABLE, "");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(JsonObject.parse(response.body()).string("message")).isEqualTo("pods \"none\" not found");
    }

    @Test
    void discovery_everyPathOfAListedKind_isServed() throws Exception {
        for (String root :
                List.of("/api/v1", "/apis/apps/v1", "/apis/discovery.k8s.io/v1", "/apis/coordination.k8s.io/v1")) {
            JsonObject resources = JsonObject.parse(send("GET", root, "").body());
            for (JsonObject resource : resources.array("resources").objects().toList()) {
                if (resource.array("verbs").strings().anyMatch("list"::equals)) {
                    assertThat(send("GET", root + "/" + resource.string("name"), "")
                                    .statusCode())
                            .as(resource.string("name"))
                            .isEqualTo(200);
                }
            }
        }
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return send(method, path, "application/json", body);
    }

    private HttpResponse<String> send(String method, String path, String accept, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(httpServer.uri() + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Accept", accept)
                        .header("Content-Type", "application/json")
                        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
