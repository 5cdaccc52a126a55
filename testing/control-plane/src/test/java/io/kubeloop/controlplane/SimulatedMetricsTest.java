/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The APIs of metrics, as a client of the HTTP front end sees them. */
class SimulatedMetricsTest {

    private final SimulatedMetrics metrics = new SimulatedMetrics();
    private final ControlPlane plane = ControlPlane.builder()
            .http(HttpApiServer.Config.DEFAULT)
            .metrics(metrics)
            .start();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        plane.close();
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        URI uri = URI.create(plane.uri() + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void discovery_listsTheGroups_andTheirVersions() throws Exception {
        assertThat(send("GET", "/apis").body())
                .contains("\"metrics.k8s.io/v1beta1\"", "\"external.metrics.k8s.io/v1beta1\"");
        assertThat(send("GET", "/apis/custom.metrics.k8s.io").body())
                .contains("\"preferredVersion\":{\"groupVersion\":\"custom.metrics.k8s.io/v1beta2\"");
        assertThat(send("GET", "/apis/metrics.k8s.io/v1beta1").body()).contains("\"resources\":[]");
    }

    @Test
    void externalMetric_theLastValueOfASeriesCounts() throws Exception {
        metrics.setExternalMetric("shop", "queue", Map.of("name", "mail"), "3");
        metrics.setExternalMetric("shop", "queue", Map.of("name", "mail"), "7");
        metrics.setExternalMetric("other", "queue", Map.of("name", "mail"), "9");

        assertThat(send("GET", "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue?labelSelector=name%3Dmail")
                        .body())
                .contains("\"value\":\"7\"")
                .doesNotContain("\"3\"", "\"9\"");
    }

    @Test
    void usage_setAgainForASelector_countsBeforeWhatOthersSetMeanwhile() {
        SimulatedMetrics alone = new SimulatedMetrics();
        alone.attach(request -> ServerResponse.Document.of(200, JsonObject.parse("""
                {"items":[{"metadata":{"name":"p","namespace":"shop","labels":{"app":"web"}},
                           "spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running"}}]}""")));
        alone.setUsage("shop", "app=web", Map.of("cpu", "10m", "memory", "1Mi"));
        alone.setUsage("shop", "", Map.of("cpu", "20m", "memory", "2Mi"));
        alone.setUsage("shop", "app=web", Map.of("cpu", "30m"));

        ApiRequest request = ApiRequest.get("/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods", Map.of());
        assertThat(String.valueOf(alone.apis().get(0).read(request))).contains("\"30m\"", "\"2Mi\"");
    }

    @Test
    void unknownPathAndWrites_areRejected() throws Exception {
        assertThat(send("GET", "/apis/custom.metrics.k8s.io/v1beta1/namespaces/shop/services/web/hits")
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/apis/metrics.k8s.io/v2/namespaces/shop/pods").statusCode())
                .isEqualTo(404);
        assertThat(send("DELETE", "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods/web")
                        .statusCode())
                .isEqualTo(405);
    }
}
