/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The labels of {@code apiserver_request_total}, which kube-apiserver 1.36.3 has for the same requests. */
@Timeout(60)
class RequestCountsTest {

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpApiServer httpServer;

    @BeforeEach
    void serve() {
        httpServer = HttpApiServer.start(
                ScriptedServer.RESOURCES,
                HttpApiServer.Config.DEFAULT,
                new ScriptedServer(request -> ScriptedServer.answer(
                        request.path().endsWith("/absent") ? 404 : 200, "{\"kind\":\"Status\"}")));
    }

    @AfterEach
    void close() {
        httpServer.close();
    }

    private HttpResponse<String> send(String method, String path, String type) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(httpServer.uri() + path))
                .method(method, type.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString("{}"));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private String counts() throws Exception {
        return send("GET", "/metrics", "").body();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET | /api/v1/pods | '' | code="200",component="apiserver",dry_run="",group="",resource="pods",\
            scope="cluster",subresource="",verb="LIST",version="v1"
            GET | /api/v1/namespaces/d/pods | '' | \
            code="200",component="apiserver",dry_run="",group="",resource="pods",scope="namespace",subresource="",\
            verb="LIST",version="v1"
            DELETE | /api/v1/namespaces/d/pods | '' | \
            code="200",component="apiserver",dry_run="",group="",resource="pods",scope="namespace",subresource="",\
            verb="DELETE",version="v1"
            GET | /api/v1/namespaces/d/pods/p | '' | \
            code="200",component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",\
            verb="GET",version="v1"
            GET | /api/v1/namespaces/d/pods/absent | '' | \
            code="404",component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",\
            verb="GET",version="v1"
            GET | /api/v1/namespaces/d | '' | \
            code="200",component="apiserver",dry_run="",group="",resource="namespaces",scope="resource",subresource="",\
            verb="GET",version="v1"
            POST | /apis/apps/v1/namespaces/d/deployments?dryRun=All | application/json | \
            code="200",component="apiserver",dry_run="All",group="apps",resource="deployments",scope="resource",\
            subresource="",verb="POST",version="v1"
            PUT | /apis/apps/v1/namespaces/d/deployments/a/status?dryRun=x | application/json | \
            code="200",component="apiserver",dry_run="invalid",group="apps",resource="deployments",scope="resource",\
            subresource="status",verb="PUT",version="v1"
            PATCH | /api/v1/namespaces/d/pods/p | application/merge-patch+json | \
            code="200",component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",\
            verb="PATCH",version="v1"
            PATCH | /api/v1/namespaces/d/pods/p | application/apply-patch+yaml | \
            code="200",component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",\
            verb="APPLY",version="v1"
            """)
    void request_isCountedUnderUpstreamsLabels(String method, String path, String type, String labels)
            throws Exception {
        send(method, path, type);
        send(method, path, type);
        // The server counts a request after the client has the response.
        await().untilAsserted(() ->
                assertThat(counts().lines().skip(2)).containsExactly("apiserver_request_total{" + labels + "} 2"));
    }

    @Test
    void pathsThatAreNotServed_areNotCounted() throws Exception {
        send("GET", "/api/v1/namespaces/d/unknown", "");
        send("GET", "/healthz", "");
        send("GET", "/nowhere", "");

        HttpResponse<String> response = send("GET", "/metrics", "");

        assertThat(response.headers().firstValue("Content-Type"))
                .hasValue("text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
        assertThat(response.body()).isEqualTo("""
                        # HELP apiserver_request_total Served requests about resources, by verb, resource and status \
                        code.
                        # TYPE apiserver_request_total counter
                        """);
    }
}
