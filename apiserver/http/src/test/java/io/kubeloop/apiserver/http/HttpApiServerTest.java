/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.HttpApiServer.Config;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The HTTP front end with a scripted transport; see {@link HttpApiIntegrationTest} for the real server. Long
 * because each rule for requests and responses has its test on this one fixture.
 */
@Isolated("looks at all threads")
class HttpApiServerTest {

    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    private static final String POD = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\"},"
            + "\"spec\":{\"containers\":[{\"name\":\"c\"}]}}";

    private final ScriptedServer scripted = new ScriptedServer(this::answer);
    private final HttpApiServer httpServer = HttpApiServer.start(
            ScriptedServer.RESOURCES,
            Config.DEFAULT.withMaxBodyBytes(1000).withIdleWatch(Duration.ofMillis(50)),
            scripted);
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch slow = new CountDownLatch(1);
    private int code = 200;
    private String body = POD;

    private ServerResponse.Document answer(ApiRequest request) {
        if (request.path().endsWith("/slow")) {
            try {
                slow.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (request.path().endsWith("/bug")) {
            throw new IllegalStateException("a bug");
        }
        return ScriptedServer.answer(code, body);
    }

    @AfterEach
    void closeServer() {
        httpServer.close();
    }

    @Test
    void discovery_ofGroups_listsWhatIsServed() throws Exception {
        assertThat(get("/api").string("kind")).isEqualTo("APIVersions");
        JsonObject groups = get("/apis");
        assertThat(groups.string("kind")).isEqualTo("APIGroupList");
        assertThat(groups.array("groups").objects())
                .extracting(group -> group.string("preferredVersion", "groupVersion"))
                .contains("apps/v1", "discovery.k8s.io/v1", "coordination.k8s.io/v1");
        assertThat(get("/apis/apps").string("name")).isEqualTo("apps");
    }

    @Test
    void discovery_ofResources_listsSubresourcesToo() throws Exception {
        JsonObject core = get("/api/v1");
        assertThat(core.string("groupVersion")).isEqualTo("v1");
        assertThat(core.array("resources").objects())
                .anySatisfy(pods -> {
                    assertThat(pods.string("name")).isEqualTo("pods");
                    assertThat(pods.string("singularName")).isEqualTo("pod");
                    assertThat(pods.bool("namespaced")).isTrue();
                    assertThat(pods.array("shortNames").strings()).containsExactly("po");
                    assertThat(pods.array("verbs").strings()).contains("get", "list", "watch", "patch");
                })
                .anySatisfy(eviction -> {
                    assertThat(eviction.string("name")).isEqualTo("pods/eviction");
                    assertThat(eviction.string("group")).isEqualTo("policy");
                    assertThat(eviction.string("kind")).isEqualTo("Eviction");
                });
        assertThat(get("/apis/apps/v1/").array("resources").objects())
                .extracting(resource -> resource.string("name"))
                .contains(
                        "deployments/scale",
                        "deployments/status",
                        "replicasets",
                        "replicasets/scale",
                        "replicasets/status");
    }

    @Test
    void openApiV3_ofAKind_promisesFieldValidation() throws Exception {
        assertThat(get("/openapi/v3").string("paths", "apis/apps/v1", "serverRelativeURL"))
                .startsWith("/openapi/v3/apis/apps/v1?hash=");
        JsonObject patch = get("/openapi/v3/apis/apps/v1")
                .object("paths", "/apis/apps/v1/namespaces/{namespace}/replicasets/{name}", "patch");
        assertThat(patch.array("parameters").objects())
                .extracting(parameter -> parameter.string("name"))
                .contains("fieldValidation", "dryRun");
        assertThat(patch.object("x-kubernetes-group-version-kind"))
                .isEqualTo(JsonObject.parse("{\"group\":\"apps\",\"kind\":\"ReplicaSet\",\"version\":\"v1\"}"));
    }

    @Test
    void openApiV2_inProtocolBuffers_namesEveryKind() throws Exception {
        String type = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
        HttpResponse<byte[]> response =
                client.send(request("/openapi/v2").header("Accept", type).build(), BodyHandlers.ofByteArray());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue(type.replace('@', '.'));
        assertThat(new String(response.body(), UTF_8))
                .startsWith("\n\u00032.0")
                .contains(
                        "/apis/apps/v1/namespaces/{namespace}/replicasets/{name}",
                        "\"kind\":\"ReplicaSet\"",
                        "io.k8s.api.core.v1.PodSpec");
    }

    private HttpResponse<byte[]> openApi(String path, String... headers) throws Exception {
        HttpRequest request = request(path).headers(headers).build();
        return client.send(request, BodyHandlers.ofByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi/v2", "/openapi/v3/apis/apps/v1", "/openapi/v3/version"})
    void openApi_thatAClientHas_isNotSentAgain(String path) throws Exception {
        HttpResponse<byte[]> first = openApi(path, "Accept", "application/json");
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().firstValue("Vary")).hasValue("Accept");
        assertThat(tag).matches("\"[0-9A-F]{128}\"");
        HttpResponse<byte[]> second = openApi(path, "Accept", "application/json", "If-None-Match", tag);
        assertThat(second.statusCode()).isEqualTo(304);
        assertThat(second.body()).isEmpty();
        assertThat(openApi(path, "Accept", "text/plain").statusCode()).isEqualTo(406);
    }

    @Test
    void openApiV3_withAHash_isImmutable_orElsewhere() throws Exception {
        String current = get("/openapi/v3").string("paths", "api/v1", "serverRelativeURL");
        HttpResponse<byte[]> response = openApi(current, "Accept", "*/*");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("public, immutable");
        assertThat(response.headers().firstValue("Expires")).isPresent();
        HttpResponse<byte[]> old = openApi("/openapi/v3/api/v1?hash=OLD", "Accept", "*/*");
        assertThat(old.statusCode()).isEqualTo(301);
        assertThat(old.headers().firstValue("Location")).hasValue(current);
        assertThat(openApi("/openapi/v3/apis/nothing/v1", "Accept", "*/*").statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"/healthz,ok", "/livez,ok", "/readyz,ok", "/readyz/ping,ok"})
    void health_isText(String path, String text) throws Exception {
        assertThat(client.send(request(path).build(), BodyHandlers.ofString()).body())
                .isEqualTo(text);
    }

    @Test
    void version_isASemanticOne() throws Exception {
        assertThat(get("/version").string("gitVersion")).matches("v1\\.\\d+\\.\\d+.*");
        assertThat(get("/").array("paths").strings()).contains("/api/v1", "/openapi/v3", "/version");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET|/api/v1/nothings|''|''|404|NotFound",
                "POST|/api/v1/nothings|''|application/vnd.kubernetes.protobuf|404|NotFound",
                "PATCH|/api/v1/nothings/x|''|text/plain|404|NotFound",
                "GET|/api/v1/nothings|text/html|''|404|NotFound",
                "GET|/api/v1//pods|''|''|404|NotFound",
                "PUT|/api/v1/namespaces/n/pods|''|text/plain|405|MethodNotAllowed",
                "OPTIONS|/api/v1/namespaces/n/pods/p|''|''|405|MethodNotAllowed",
                "PATCH|/api/v1/namespaces/n/pods/p|''|text/plain|415|UnsupportedMediaType",
                "GET|/api/v1/pods?timeout=x|''|''|400|BadRequest",
                "POST|/version|''|''|405|MethodNotAllowed",
                "DELETE|/api/v1|''|''|405|MethodNotAllowed",
                "GET|/api/v1/pods|application/cbor|''|406|NotAcceptable",
                "GET|/api/v1|application/cbor|''|406|NotAcceptable",
                "POST|/api/v1/namespaces/n/pods/p/exec|''|''|400|BadRequest",
                "GET|/api/v1/namespaces/n/services/s/proxy/x/y|''|''|503|ServiceUnavailable",
                "GET|/api/v1/pods?includeObject=All|application/json;as=Table;g=meta.k8s.io;v=v1|''|400|BadRequest",
                "GET|/api/v1/namespaces/n/pods/bug|''|''|500|InternalError",
            })
    void refusal_isAStatusWithItsReason(
            String method, String path, String accept, String contentType, int expected, String reason)
            throws Exception {
        HttpRequest.Builder request = request(path)
                .method(method, method.startsWith("P") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody());
        if (!accept.isEmpty()) {
            request.header("Accept", accept);
        }
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(expected);
        JsonObject status = JsonObject.parse(response.body());
        assertThat(status.string("kind")).isEqualTo("Status");
        assertThat(status.string("status")).isEqualTo("Failure");
        assertThat(status.string("reason")).isEqualTo(reason);
        assertThat(status.number("code")).isEqualTo(expected);
        assertThat(status.string("message")).isNotEmpty();
    }

    @Test
    void request_withTooLargeABody_isRefused() throws Exception {
        HttpRequest request = request("/api/v1/namespaces/n/pods")
                .POST(BodyPublishers.ofString("x".repeat(1001)))
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
        assertThat(scripted.requests).isEmpty();
    }

    @Test
    void request_forAnotherHost_isRefused() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            OutputStream out = socket.getOutputStream();
            out.write("GET /version HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
            out.flush();
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 403 ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://evil.example,403",
        "http://127.0.0.1.evil.example:80,403",
        "null,403",
        "http://localhost:3000,200",
        "http://[::1],200",
    })
    void request_ofAWebPage_isServedIfThePageIsFromHere(String origin, int expected) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            // A web page may send a POST without a content type to any address without a preflight request.
            socket.getOutputStream()
                    .write(("POST /api/v1/namespaces/d/pods HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: " + origin
                                    + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
                            .getBytes(UTF_8));

            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 " + expected + " ");
        }
        assertThat(scripted.requests).hasSize(expected == 200 ? 1 : 0);
    }

    @Test
    void request_isHandedOnDecoded() throws Exception {
        HttpRequest request = request(
                        "/api/v1/namespaces/n/pods?labelSelector=a+in+%28b%2Cc%29&labelSelector=second&limit=5")
                .build();
        client.send(request, BodyHandlers.ofString());
        ApiRequest handedOn = scripted.requests.take();
        assertThat(handedOn.method()).isEqualTo("GET");
        assertThat(handedOn.path()).isEqualTo("/api/v1/namespaces/n/pods");
        assertThat(handedOn.query())
                .containsEntry("labelSelector", "a in (b,c)")
                .containsEntry("limit", "5");
        assertThat(handedOn.body()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json-patch+json",
                "application/merge-patch+json",
                "application/strategic-merge-patch+json",
                "application/apply-patch+yaml"
            })
    void patch_keepsItsType(String type) throws Exception {
        HttpRequest request = request("/api/v1/namespaces/n/pods/p")
                .header("Content-Type", type)
                .method("PATCH", BodyPublishers.ofString("a: b"))
                .build();
        client.send(request, BodyHandlers.ofString());
        assertThat(scripted.requests.take().body().contentType()).isEqualTo(type);
    }

    @Test
    void answer_keepsCodeBodyAndTheHintToRetry() throws Exception {
        code = 429;
        body = "{\"kind\":\"Status\"}";
        HttpResponse<String> response =
                client.send(request("/api/v1/pods").header("Accept", TABLE).build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.body()).isEqualTo(body + "\n");
        assertThat(response.headers().firstValue("Retry-After")).hasValue("7");
        assertThat(response.headers().allValues("Content-Type")).containsExactly("application/json");
    }

    @Test
    void get_asTable_isATable() throws Exception {
        HttpRequest request =
                request("/api/v1/namespaces/n/pods/p").header("Accept", TABLE).build();
        JsonObject table =
                JsonObject.parse(client.send(request, BodyHandlers.ofString()).body());
        assertThat(table.string("kind")).isEqualTo("Table");
        assertThat(table.array("rows").size()).isEqualTo(1);
    }

    @Test
    void get_largeBody_isCompressedWhereWelcome() throws Exception {
        body = "{\"kind\":\"X\",\"data\":\"" + "x".repeat(200_000) + "\"}";
        HttpRequest request =
                request("/api/v1/pods").header("Accept-Encoding", "gzip").build();
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(response.body().length).isLessThan(10_000);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(body + "\n");
        }
        assertThat(client.send(request("/api/v1/pods").build(), BodyHandlers.ofString())
                        .body())
                .isEqualTo(body + "\n");
    }

    @Test
    void head_hasHeadersOnly() throws Exception {
        HttpRequest request =
                request("/livez").method("HEAD", BodyPublishers.noBody()).build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
    }

    @Test
    void watch_refused_isAnOrdinaryAnswer() throws Exception {
        code = 410;
        body = "{\"kind\":\"Status\",\"code\":410}";
        HttpResponse<String> response =
                client.send(request("/api/v1/pods?watch=1&resourceVersion=1").build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(410);
        assertThat(response.body()).isEqualTo("{\"kind\":\"Status\",\"code\":410}\n");
    }

    /** Every value except false is true; for example, Python's client sends {@code True}. */
    @ParameterizedTest
    @ValueSource(strings = {"watch=true", "watch=True", "watch=1", "watch", "watch=yes"})
    void watch_framesComeOneByOneAsTheyHappen(String query) throws Exception {
        HttpResponse<InputStream> response =
                client.send(request("/api/v1/pods?" + query).build(), BodyHandlers.ofInputStream());
        try (BufferedReader in = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            scripted.frame("ADDED", "{\"a\":1}");
            assertThat(nextFrame(in)).isEqualTo("{\"type\":\"ADDED\",\"object\":{\"a\":1}}");
            scripted.frame("MODIFIED", "{}");
            assertThat(nextFrame(in)).isEqualTo("{\"type\":\"MODIFIED\",\"object\":{}}");
            scripted.endWatch();
            assertThat(nextFrame(in)).isNull();
        }
    }

    @Test
    void watch_asTable_definesColumnsInTheFirstEventThatIsNoBookmark() throws Exception {
        HttpRequest request =
                request("/api/v1/pods?watch=true").header("Accept", TABLE).build();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (BufferedReader in = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            scripted.frame("BOOKMARK", POD);
            scripted.frame("ADDED", POD);
            scripted.frame("MODIFIED", POD);
            assertThat(JsonObject.parse(nextFrame(in)).array("object", "rows").isEmpty())
                    .isTrue();
            JsonObject added = JsonObject.parse(nextFrame(in));
            assertThat(added.string("object", "kind")).isEqualTo("Table");
            assertThat(added.array("object", "columnDefinitions").isEmpty()).isFalse();
            assertThat(JsonObject.parse(nextFrame(in))
                            .array("object", "columnDefinitions")
                            .isEmpty())
                    .isTrue();
        }
    }

    @Test
    void watch_thatBreaksOff_isCutWithoutItsLastChunk() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            socket.getOutputStream()
                    .write(("GET /api/v1/pods?watch=true HTTP/1.1\r\nHost: localhost\r\nAccept: " + TABLE + "\r\n\r\n")
                            .getBytes(UTF_8));
            scripted.frame("ADDED", POD);
            scripted.failAfterFrames(new IllegalStateException("as the test wants it"));

            String all = new String(socket.getInputStream().readAllBytes(), UTF_8);

            assertThat(all).contains("columnDefinitions").doesNotContain("\r\n0\r\n");
        }
        assertThat(scripted.watchClosed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void watch_byHead_isRefused() throws Exception {
        HttpRequest request = request("/api/v1/pods?watch=true")
                .method("HEAD", BodyPublishers.noBody())
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
        assertThat(scripted.requests).isEmpty();
    }

    @Test
    void close_whileARequestIsServed_letsItFinish() throws Exception {
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(request("/api/v1/namespaces/n/pods/slow").build(), BodyHandlers.ofString());
        assertThat(scripted.requests.poll(10, TimeUnit.SECONDS)).isNotNull();
        Thread closing = new Thread(httpServer::close);
        closing.start();
        await().until(() -> !isListening());

        slow.countDown();

        assertThat(response.get(10, TimeUnit.SECONDS).body()).isEqualTo(body + "\n");
        closing.join();
    }

    private boolean isListening() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void watch_clientGone_endsTheStreamThoughNothingHappens() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            socket.getOutputStream()
                    .write("GET /api/v1/pods?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
            assertThat(scripted.requests.poll(10, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(scripted.watchClosed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    /** I12. */
    @Test
    void close_withAnOpenWatch_endsItAndLeavesNoThread() throws Exception {
        HttpResponse<InputStream> response =
                client.send(request("/api/v1/pods?watch=true").build(), BodyHandlers.ofInputStream());
        List<Thread> mine = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("kubeloop-http-"))
                .toList();
        httpServer.close();
        httpServer.close();
        try (InputStream in = response.body()) {
            assertThat(new String(drain(in), UTF_8)).isBlank();
        }
        assertThat(scripted.watchClosed.getCount()).isZero();
        await().until(() -> mine.stream().noneMatch(Thread::isAlive));
        assertThatThrownBy(() -> client.send(request("/version").build(), BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);
    }

    private static byte[] drain(InputStream in) {
        try {
            return in.readAllBytes();
        } catch (IOException e) {
            return new byte[0]; // the connection was reset instead of closed, which is an end too
        }
    }

    @Test
    void start_portTaken_saysWhich() {
        assertThatThrownBy(
                        () -> HttpApiServer.start(ScriptedServer.RESOURCES, Config.DEFAULT.withPort(httpServer.port())))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("127.0.0.1:" + httpServer.port());
    }

    @Test
    void start_unknownAddress_saysWhich() {
        assertThatThrownBy(() -> HttpApiServer.start(
                        ScriptedServer.RESOURCES, Config.DEFAULT.withBindAddress("no.such.host.invalid")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("no.such.host.invalid");
    }

    @Test
    void uri_ofAFaceOnAllInterfaces_isTheLoopbackOne() {
        try (HttpApiServer open =
                HttpApiServer.start(ScriptedServer.RESOURCES, Config.DEFAULT.withBindAddress("0.0.0.0"))) {
            assertThat(open.uri()).isEqualTo(URI.create("http://127.0.0.1:" + open.port()));
        }
    }

    @Test
    void config_ofNonsense_isRefused() {
        assertThatThrownBy(() -> Config.DEFAULT.withPort(70_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Config.DEFAULT.withBindAddress("")).isInstanceOf(IllegalArgumentException.class);
    }

    /** Each frame is on its own line, and there are no other lines. */
    private static String nextFrame(BufferedReader in) throws IOException {
        return in.readLine();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(httpServer.uri() + path)).timeout(Duration.ofSeconds(20));
    }

    private JsonObject get(String path) throws Exception {
        HttpResponse<String> response =
                client.send(request(path).header("Accept", "application/json").build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return JsonObject.parse(response.body());
    }
}
