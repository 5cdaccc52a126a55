/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.CapturedLog;
import io.kubeloop.testing.ClosedPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import mockwebserver3.junit5.StartStop;
import okio.Buffer;
import okio.GzipSink;
import okio.Okio;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and responses over plain HTTP, with one mock server. Long because every kind of response has a test. */
@Isolated("reads standard error")
class OkHttpTransportTest {

    @StartStop
    final MockWebServer server = new MockWebServer();

    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<OkHttpTransport> transports = new ArrayList<>();

    @AfterEach
    void close() {
        transports.forEach(OkHttpTransport::close);
    }

    private ClientConfigBuilder config() {
        return ClientConfigBuilder.builder().server(server.url("/").toString());
    }

    private OkHttpTransport transport(ClientConfigBuilder config) {
        OkHttpTransport transport = OkHttpTransport.builder(config.build())
                .warningHandler(warnings::add)
                .scheduler(new InstantScheduler(pauses::add))
                .build();
        transports.add(transport);
        return transport;
    }

    private OkHttpTransport transport() {
        return transport(config());
    }

    private static MockResponse.Builder response(int code) {
        return new MockResponse.Builder().code(code);
    }

    private static String body(ApiResponse response) throws IOException {
        try (response) {
            return new String(response.body().readAllBytes(), UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({"GET,false", "DELETE,false", "DELETE,true", "POST,true", "PUT,true", "PATCH,true", "POST,false"})
    void execute_anyVerb_sendsItWithPathQueryAndBody(String method, boolean withBody) throws Exception {
        // RB-01, RB-05, RB-07, RB-08, RC-05
        server.enqueue(response(200).addHeader("Audit-Id", "a1").body("{}").build());
        Map<String, String> query = new LinkedHashMap<>();
        query.put("labelSelector", "a in (b,c),x!=y");
        query.put("limit", "500");
        ApiRequest.Body body =
                withBody ? new ApiRequest.Body("application/merge-patch+json", "{\"é\":1}".getBytes(UTF_8)) : null;

        ApiResponse response = transport().execute(ApiRequest.of(method, "/api/v1/namespaces/shop/pods", query, body));

        assertThat(response.code()).isEqualTo(200);
        assertThat(response.header("audit-id")).isEqualTo("a1");
        assertThat(response.headers()).containsEntry("audit-id", List.of("a1"));
        assertThat(body(response)).isEqualTo("{}");
        RecordedRequest request = server.takeRequest();
        assertThat(request.getMethod()).isEqualTo(method);
        assertThat(request.getUrl().encodedPath()).isEqualTo("/api/v1/namespaces/shop/pods");
        assertThat(request.getUrl().queryParameter("labelSelector")).isEqualTo("a in (b,c),x!=y");
        assertThat(request.getUrl().queryParameter("limit")).isEqualTo("500");
        assertThat(request.getHeaders().get("Accept")).isEqualTo("application/json");
        assertThat(request.getHeaders().get("User-Agent"))
                .matches("kubeloop/\\d+\\.\\d+\\S* \\([a-z0-9.-]+/[a-z0-9_.-]+\\)");
        if (withBody) {
            assertThat(request.getBody().utf8()).isEqualTo("{\"é\":1}");
            assertThat(request.getHeaders().get("Content-Type")).isEqualTo("application/merge-patch+json");
        } else {
            assertThat(request.getBodySize()).isZero();
        }
    }

    @Test
    void execute_serverWithPathPrefix_keepsItInFront() throws Exception {
        // RC-03, RB-04
        server.enqueue(response(200).build());

        body(transport(config().server(server.url("/clusters/c-1/").toString()))
                .execute(ApiRequest.get("/api", Map.of())));

        assertThat(server.takeRequest().getTarget()).isEqualTo("/clusters/c-1/api");
    }

    @Test
    void execute_serverWithoutScheme_isHttp() throws Exception {
        // RC-03
        server.enqueue(response(200).build());

        body(transport(config().server("127.0.0.1:" + server.getPort())).execute(ApiRequest.get("/api", Map.of())));

        assertThat(server.takeRequest().getTarget()).isEqualTo("/api");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/../secrets", "/api/./v1"})
    void execute_pathWithDots_isRefusedBeforeAnythingIsSent(String path) {
        // RB-02
        assertThatThrownBy(() -> transport().execute(ApiRequest.get(path, Map.of())))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("must not have the segment");
        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void execute_gzippedAnswer_isAskedForAndUnpacked() throws Exception {
        Buffer zipped = new Buffer();
        try (okio.BufferedSink sink = Okio.buffer(new GzipSink(zipped))) {
            sink.writeUtf8("{\"items\":[]}");
        }
        server.enqueue(
                response(200).addHeader("Content-Encoding", "gzip").body(zipped).build());

        assertThat(body(transport().execute(ApiRequest.get("/api", Map.of())))).isEqualTo("{\"items\":[]}");
        assertThat(server.takeRequest().getHeaders().get("Accept-Encoding")).isEqualTo("gzip");
    }

    @Test
    void execute_gzipBomb_isReadNoFurtherThanItsBound() throws Exception {
        // 64 MiB of blanks, compressed to 64 KiB.
        Buffer zipped = new Buffer();
        try (okio.BufferedSink sink = Okio.buffer(new GzipSink(zipped))) {
            byte[] blanks = new byte[1 << 20];
            java.util.Arrays.fill(blanks, (byte) ' ');
            for (int i = 0; i < 64; i++) {
                sink.write(blanks);
            }
        }
        assertThat(zipped.size()).isLessThan(100_000);
        server.enqueue(
                response(200).addHeader("Content-Encoding", "gzip").body(zipped).build());
        OkHttpTransport transport = OkHttpTransport.builder(config().build())
                .maxResponseBytes(1 << 20)
                .build();
        transports.add(transport);

        try (ApiResponse response = transport.execute(ApiRequest.get("/api", Map.of()))) {
            assertThat(response.body().readNBytes(1 << 20)).hasSize(1 << 20);
            TransportException failure = catchThrowableOfType(
                    TransportException.class, () -> response.body().readAllBytes());

            assertThat(failure.kind()).isEqualTo(Kind.TOO_LARGE);
            assertThat(failure).hasMessageContaining("larger than the 1048576 bytes allowed; list page by page");
        }
    }

    @Test
    void execute_compressionDisabled_asksForNone() throws Exception {
        server.enqueue(response(200).build());

        body(transport(config().disableCompression(true)).execute(ApiRequest.get("/api", Map.of())));

        assertThat(server.takeRequest().getHeaders().get("Accept-Encoding")).isEqualTo("identity");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 409, 410, 422, 429, 500, 503, 504})
    void execute_refusalWithoutRetryAfter_isHandedOutAtOnce(int code) throws Exception {
        server.enqueue(response(code).body("{\"kind\":\"Status\"}").build());

        ApiResponse response = transport().execute(ApiRequest.get("/api", Map.of()));

        assertThat(response.code()).isEqualTo(code);
        assertThat(response.isSuccessful()).isFalse();
        assertThat(body(response)).isEqualTo("{\"kind\":\"Status\"}");
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"429,GET", "429,POST", "500,POST", "503,PUT", "504,DELETE"})
    void execute_askedToComeBack_waitsAsLongAsToldAndRepeats(int code, String method) throws Exception {
        // RX-04, RX-05, RX-09, RX-11, RB-07
        server.enqueue(
                response(code).addHeader("Retry-After", "7").body("slow down").build());
        server.enqueue(response(code).addHeader("Retry-After", "1").build());
        server.enqueue(response(200).body("ok").build());
        ApiRequest.Body content =
                method.equals("POST") || method.equals("PUT") ? ApiRequest.Body.json("{}".getBytes(UTF_8)) : null;

        assertThat(body(transport().execute(ApiRequest.of(method, "/api", Map.of(), content))))
                .isEqualTo("ok");

        assertThat(pauses).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(1));
        server.takeRequest();
        server.takeRequest();
        assertThat(server.takeRequest().getBodySize()).isEqualTo(content == null ? 0 : 2);
    }

    @Test
    void execute_askedToComeBackForever_givesUpAfterTenRetries() throws Exception {
        // RX-04
        for (int i = 0; i < 12; i++) {
            server.enqueue(response(429).addHeader("Retry-After", "1").build());
        }

        assertThat(transport().execute(ApiRequest.get("/api", Map.of())).code()).isEqualTo(429);

        assertThat(pauses).hasSize(10);
        assertThat(server.getRequestCount()).isEqualTo(11);
    }

    @ParameterizedTest
    @CsvSource({"429,'Wed, 21 Oct 2026 07:28:00 GMT'", "429,-1", "429,''", "404,1", "200,1", "429,3600"})
    void execute_answerThatIsNotForRetrying_isHandedOut(int code, String retryAfter) {
        // RX-04
        server.enqueue(response(code).addHeader("Retry-After", retryAfter).build());

        assertThat(transport().execute(ApiRequest.get("/api", Map.of())).code()).isEqualTo(code);
        assertThat(pauses).isEmpty();
    }

    @Test
    void execute_retryBeyondTheDeadline_isNotWaitedFor() {
        // RX-10
        server.enqueue(response(429).addHeader("Retry-After", "30").build());
        ApiRequest request = new ApiRequest("GET", "/api", Map.of(), ApiRequest.JSON, null, Duration.ofSeconds(30));

        assertThat(transport().execute(request).code()).isEqualTo(429);
        assertThat(pauses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void execute_redirect_isNotFollowed(int code) {
        server.enqueue(response(code).addHeader("Location", "/elsewhere").build());

        assertThat(transport().execute(ApiRequest.get("/api", Map.of())).code()).isEqualTo(code);
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void execute_rateLimit_holdsRequestsBackAndLetsWatchesPass() throws Exception {
        // RX-01
        for (int i = 0; i < 6; i++) {
            server.enqueue(response(200).body("{}").build());
        }
        OkHttpTransport transport = transport(config().qps(20).burst(2));

        for (int i = 0; i < 4; i++) {
            body(transport.execute(ApiRequest.get("/api", Map.of())));
        }
        assertThat(pauses).containsExactly(Duration.ofMillis(50), Duration.ofMillis(50));
        transport.stream(ApiRequest.get("/api", Map.of())).close();
        transport.stream(ApiRequest.get("/api", Map.of())).close();
        assertThat(pauses).hasSize(2);
    }

    @Test
    void execute_noRateLimitConfigured_neverWaits() throws Exception {
        // RC-01: users of libraries often complain about upstream's default of 5 per second.
        OkHttpTransport transport = transport();
        for (int i = 0; i < 20; i++) {
            server.enqueue(response(200).body("{}").build());
            body(transport.execute(ApiRequest.get("/api", Map.of())));
        }

        assertThat(pauses).isEmpty();
    }

    @Test
    void execute_rateLimitBeyondTheDeadline_failsAtOnceAndTakesNoTurn() throws Exception {
        // FC-01
        server.enqueue(response(200).build());
        server.enqueue(response(200).build());
        OkHttpTransport transport = transport(config().qps(1).burst(1));
        body(transport.execute(ApiRequest.get("/api", Map.of())));

        assertThatThrownBy(() -> transport.execute(
                        new ApiRequest("GET", "/api", Map.of(), ApiRequest.JSON, null, Duration.ofMillis(900))))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT))
                .hasMessageEndingWith(
                        "not sent, because the client-side rate limit would delay it beyond its deadline of PT0.9S");
        assertThat(pauses).isEmpty();
        body(transport.execute(ApiRequest.get("/api", Map.of())));
        assertThat(pauses).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void execute_interruptedWhileItWaitsForTheRateLimit_isNotSent() throws Exception {
        // RX-02
        server.enqueue(response(200).body("{}").build());
        OkHttpTransport transport =
                OkHttpTransport.builder(config().qps(0.001).burst(1).build()).build();
        transports.add(transport);
        body(transport.execute(ApiRequest.get("/api", Map.of())));
        Thread.currentThread().interrupt();

        Throwable failure = catchThrowable(() -> transport.execute(ApiRequest.get("/api", Map.of())));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure)
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED))
                .hasMessageEndingWith("interrupted while waiting to send");
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void execute_interruptedWhileItWaitsForTheRateLimit_leavesItsTurnToOthers() throws Exception {
        // FC-01
        server.enqueue(response(200).body("{}").build());
        server.enqueue(response(200).body("{}").build());
        OkHttpTransport transport = OkHttpTransport.builder(
                        config().qps(1).burst(1).build())
                .scheduler(new InstantScheduler(pauses::add))
                .build();
        transports.add(transport);
        body(transport.execute(ApiRequest.get("/api", Map.of())));
        Thread.currentThread().interrupt();
        Throwable failure = catchThrowable(() -> transport.execute(ApiRequest.get("/api", Map.of())));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).hasMessageEndingWith("interrupted while waiting to send");
        body(transport.execute(ApiRequest.get("/api", Map.of())));
        assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    @Test
    void execute_severalWarningsInOneHeader_areAllHandedOn() throws Exception {
        // RR-06: a proxy may join headers that the server has sent separately.
        server.enqueue(response(200)
                .addHeader("Warning", "299 - \"one\", 299 - \"t,wo\"")
                .addHeader(
                        "Warning",
                        "110 proxy \"stale\", 299 a:1 \"three\" \"Wed, 21 Oct 2026 07:28:00 GMT\",299 - \"four\"")
                .addHeader("Warning", "299 - \"five\", nonsense, 299 - \"lost\"")
                .build());

        body(transport().execute(ApiRequest.get("/api", Map.of())));

        assertThat(warnings).containsExactly("one", "t,wo", "three", "four", "five");
    }

    @Test
    void execute_warnings_areHandedOnOncePerText() throws Exception {
        // RR-06
        for (int i = 0; i < 3; i++) {
            server.enqueue(response(i == 1 ? 404 : 200)
                    .addHeader("Warning", "299 - \"v1 Endpoints is \\\"deprecated\\\"\"")
                    .addHeader("Warning", "299 - \"text " + i + "\" \"Wed, 21 Oct 2026 07:28:00 GMT\"")
                    .addHeader("Warning", "199 - \"miscellaneous\"")
                    .addHeader("Warning", "299 - \"\"")
                    .addHeader("Warning", "nonsense")
                    .build());
        }
        OkHttpTransport transport = transport();

        for (int i = 0; i < 3; i++) {
            body(transport.execute(ApiRequest.get("/api", Map.of())));
        }

        assertThat(warnings).containsExactly("v1 Endpoints is \"deprecated\"", "text 0", "text 1", "text 2");
    }

    @Test
    void execute_endlessWarnings_areHandedOnUpToTheLimit() throws Exception {
        OkHttpTransport transport = transport();
        for (int response = 0; response < 3; response++) {
            StringBuilder header = new StringBuilder();
            for (int i = 0; i < 600; i++) {
                header.append(i == 0 ? "" : ", ")
                        .append("299 - \"")
                        .append(response * 600 + i)
                        .append('"');
            }
            server.enqueue(response(200).addHeader("Warning", header.toString()).build());
            body(transport.execute(ApiRequest.get("/api", Map.of())));
        }

        assertThat(warnings).hasSize(1000).startsWith("0", "1").endsWith("999");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\\\""})
    void execute_longWarning_isHandedOnUpToTheLimit(String unit) throws Exception {
        server.enqueue(response(200)
                .addHeader("Warning", "299 - \"" + unit.repeat(60_000) + "\"")
                .build());

        body(transport().execute(ApiRequest.get("/api", Map.of())));

        assertThat(warnings).containsExactly(unit.substring(unit.length() - 1).repeat(4096) + "...");
    }

    @Test
    void execute_warningHandlerThatDies_freesTheConnection() throws Exception {
        // Headers and body in one piece: OkHttp drops a connection whose body is late.
        try (RawServer raw = new RawServer((socket, line) -> {
            RawServer.write(socket, "HTTP/1.1 200 OK\r\nWarning: 299 - \"careful\"\r\nContent-Length: 2\r\n\r\nok");
            socket.getInputStream().skipNBytes(1);
            RawServer.write(socket, RawServer.answer("ok"));
        })) {
            OkHttpTransport transport = OkHttpTransport.builder(
                            config().server(raw.url()).build())
                    .warningHandler(text -> {
                        throw new AssertionError(text);
                    })
                    .build();
            transports.add(transport);

            assertThatThrownBy(() -> transport.execute(ApiRequest.get("/api", Map.of())))
                    .isInstanceOf(AssertionError.class);
            assertThat(body(transport.execute(ApiRequest.get("/api", Map.of()))))
                    .isEqualTo("ok");
            assertThat(raw.requests()).as("connections").isOne();
        }
    }

    @Test
    void execute_warningHandlerThatFails_doesNotHurtTheCall() throws Exception {
        server.enqueue(response(200)
                .addHeader("Warning", "299 - \"careful\"")
                .body("ok")
                .build());
        OkHttpTransport transport = OkHttpTransport.builder(config().build())
                .warningHandler(text -> {
                    throw new IllegalStateException(text);
                })
                .build();
        transports.add(transport);

        assertThat(body(transport.execute(ApiRequest.get("/api", Map.of())))).isEqualTo("ok");
    }

    @Test
    void execute_impersonation_sendsEscapedHeaders() throws Exception {
        // TP-10
        server.enqueue(response(200).build());
        Impersonation jane = new Impersonation(
                "jane", "u-1", List.of("devs", "ops"), Map.of("example.com/scope %", List.of("a", "b")));

        body(transport(config().auth(AuthConfigBuilder.builder()
                        .token("t")
                        .impersonation(jane)
                        .build()))
                .execute(ApiRequest.get("/api", Map.of())));

        okhttp3.Headers headers = server.takeRequest().getHeaders();
        assertThat(headers.get("Authorization")).isEqualTo("Bearer t");
        assertThat(headers.get("Impersonate-User")).isEqualTo("jane");
        assertThat(headers.get("Impersonate-Uid")).isEqualTo("u-1");
        assertThat(headers.values("Impersonate-Group")).containsExactly("devs", "ops");
        assertThat(headers.values("Impersonate-Extra-example.com%2Fscope%20%25"))
                .containsExactly("a", "b");
    }

    @Test
    void execute_impersonatedNameBeyondAscii_isSentAsItIs() throws Exception {
        server.enqueue(response(200).build());

        body(transport(config().auth(AuthConfigBuilder.builder()
                        .impersonation(new Impersonation("jürgen", "", List.of(), Map.of()))
                        .build()))
                .execute(ApiRequest.get("/api", Map.of())));

        assertThat(server.takeRequest().getHeaders().get("Impersonate-User")).isEqualTo("jürgen");
    }

    @Test
    void execute_credentialWithALineBreakInIt_isNotSentNorQuoted() {
        OkHttpTransport transport = transport(config().auth(AuthConfig.bearer("secret\nX-Injected: secret")));

        assertThatThrownBy(() -> transport.execute(ApiRequest.get("/api", Map.of())))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFIGURATION))
                .hasMessageEndingWith(
                        "the header Authorization cannot be sent: it has a line break or another control character in "
                                + "it")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void execute_throughAProxy_asksTheProxyAndAuthenticatesThere(String method) throws Exception {
        // CC-25
        server.enqueue(response(200).body("ok").build());
        OkHttpTransport transport = transport(config().server("http://api.example.invalid")
                .proxyUrl("http://me:secret@127.0.0.1:" + server.getPort())
                .auth(AuthConfig.bearer("t")));
        ApiRequest request = ApiRequest.of(
                method, "/api", Map.of(), method.equals("POST") ? ApiRequest.Body.json("{}".getBytes(UTF_8)) : null);

        assertThat(body(transport.execute(request))).isEqualTo("ok");

        RecordedRequest recorded = server.takeRequest();
        assertThat(recorded.getRequestLine()).isEqualTo(method + " http://api.example.invalid/api HTTP/1.1");
        assertThat(recorded.getHeaders().get("Proxy-Authorization")).isEqualTo("Basic bWU6c2VjcmV0");
    }

    @Test
    void execute_proxyThatRefusesTheLogin_isNotAskedAgain() throws Exception {
        server.enqueue(response(407)
                .addHeader("Proxy-Authenticate", "Basic realm=\"p\"")
                .build());
        OkHttpTransport transport = transport(config().server("http://api.example.invalid")
                .proxyUrl("http://me:wrong@127.0.0.1:" + server.getPort()));

        assertThat(transport.execute(ApiRequest.get("/api", Map.of())).code()).isEqualTo(407);
        assertThat(server.getRequestCount()).isOne();
    }

    @ParameterizedTest
    @CsvSource({
        "'ftp://u:secret@p', 'http, https or socks5'",
        "'http://', not a URL",
        "'http:///secret', names no host",
        "':', not a URL"
    })
    void create_proxyThatCannotBeUsed_isRefused(String proxy, String message) {
        assertThatThrownBy(() -> transport(config().proxyUrl(proxy)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("secret");
    }

    @Test
    void execute_getOnABrokenConnection_isRepeatedOnce() throws Exception {
        // RX-04, RX-06
        server.enqueue(
                response(200).onResponseStart(new SocketEffect.CloseSocket()).build());
        server.enqueue(response(200).body("ok").build());

        assertThat(body(transport().execute(ApiRequest.get("/api", Map.of())))).isEqualTo("ok");
        assertThat(server.getRequestCount()).isEqualTo(2);
    }

    @Test
    void execute_getOnTwoBrokenConnections_reportsBoth() throws Exception {
        // RX-07
        try (RawServer raw = new RawServer((socket, line) -> {})) {
            OkHttpTransport transport = transport(config().server(raw.url()));

            TransportException failure = catchThrowableOfType(
                    TransportException.class, () -> transport.execute(ApiRequest.get("/api", Map.of())));

            assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
            assertThat(failure.getSuppressed())
                    .hasOnlyElementsOfType(TransportException.class)
                    .hasSize(1);
        }
    }

    @Test
    void execute_longWaitsForTheRateLimit_areLoggedSeldom() throws Exception {
        // RX-03
        for (int i = 0; i < 6; i++) {
            server.enqueue(response(200).body("{}").build());
        }
        OkHttpTransport transport = transport(config().qps(0.5).burst(1));

        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < 6; i++) {
                body(transport.execute(ApiRequest.get("/api", Map.of())));
            }
            // Five waits of two seconds each: the first is logged, and the next line would be due ten seconds later.
            assertThat(log.text()).containsOnlyOnce("for the client-side rate limit");
        }
        assertThat(pauses).hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
    void execute_writeOnABrokenConnection_isNeverRepeated(String method) throws Exception {
        // RX-04
        OkHttpTransport transport = transport();
        ApiRequest.Body content = method.equals("DELETE") ? null : ApiRequest.Body.json("{}".getBytes(UTF_8));
        ApiRequest write = ApiRequest.of(method, "/api", Map.of(), content);
        // The second request uses a former connection, where OkHttp would retry by itself.
        server.enqueue(response(200).body("ok").build());
        server.enqueue(
                response(200).onResponseStart(new SocketEffect.CloseSocket()).build());
        server.enqueue(response(200).body("must not be reached").build());
        body(transport.execute(write));

        TransportException failure = catchThrowableOfType(TransportException.class, () -> transport.execute(write));

        assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
        assertThat(failure.getSuppressed()).isEmpty();
        assertThat(failure)
                .hasMessageStartingWith(method + " /api at http://")
                .hasMessageContaining("the connection broke");
        assertThat(server.getRequestCount()).isEqualTo(2);
    }

    @Test
    void execute_bodyThatEndsEarly_isReportedAsSuch() throws Exception {
        try (RawServer raw = new RawServer((socket, line) ->
                        RawServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"items\":["));
                ApiResponse response =
                        transport(config().server(raw.url())).execute(ApiRequest.get("/api", Map.of()))) {
            TransportException failure = catchThrowableOfType(
                    TransportException.class, () -> response.body().readAllBytes());

            assertThat(failure.kind()).isEqualTo(Kind.UNEXPECTED_EOF);
            assertThat(failure).hasMessageContaining("GET /api at " + raw.url());
        }
    }

    @Test
    void list_connectionBreaksInTheMiddle_isNotTakenForABadDocument() throws Exception {
        try (RawServer raw = new RawServer((socket, line) -> RawServer.write(
                socket,
                "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"metadata\":{},\"items\":[{\"metadata\":{\"name"))) {
            KubeClient client = KubeClient.of(transport(config().server(raw.url())), JsonCodec.standard());

            TransportException failure = catchThrowableOfType(
                    TransportException.class,
                    () -> client.resource(ResourceTypes.PODS).list("", ListOptions.NONE));

            assertThat(failure.kind()).isEqualTo(Kind.UNEXPECTED_EOF);
        }
    }

    @Test
    void get_errorWhoseBodyBreaks_stillTellsTheCode() throws Exception {
        try (RawServer raw = new RawServer((socket, line) -> RawServer.write(
                socket, "HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n{\"kind\":\"Status\""))) {
            KubeClient client = KubeClient.of(transport(config().server(raw.url())), JsonCodec.standard());

            assertThatThrownBy(() -> client.resource(ResourceTypes.PODS).get(new ObjectName("shop", "a")))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.isNotFound()).isTrue());
        }
    }

    @Test
    void execute_nobodyListening_failsToConnect() throws Exception {
        try (ClosedPort port = new ClosedPort()) {
            OkHttpTransport transport = transport(config().server("http://127.0.0.1:" + port.number() + "/p"));

            TransportException failure = catchThrowableOfType(
                    TransportException.class, () -> transport.execute(ApiRequest.get("/api/v1/pods", Map.of())));

            assertThat(failure.kind()).isEqualTo(Kind.CONNECT);
            assertThat(failure)
                    .hasMessage("GET /api/v1/pods at http://127.0.0.1:" + port.number()
                            + ": cannot connect: Connection refused");
        }
    }

    @Test
    void execute_silentServer_timesOut() throws Exception {
        // RX-10
        server.enqueue(
                response(200).onResponseStart(SocketEffect.Stall.INSTANCE).build());
        server.enqueue(response(200).build());
        server.enqueue(
                response(200).onResponseStart(SocketEffect.Stall.INSTANCE).build());
        OkHttpTransport byDefault = transport(config().timeouts(TimeoutsBuilder.builder(Timeouts.DEFAULT)
                .read(Duration.ofMillis(500))
                .build()));
        ApiRequest request = new ApiRequest("GET", "/api", Map.of(), ApiRequest.JSON, null, Duration.ofMillis(500));
        // A deadline that passes during the connect is a failure to connect, so the connection is opened before.
        OkHttpTransport connected = transport();

        TransportException byRead = catchThrowableOfType(
                TransportException.class, () -> byDefault.execute(ApiRequest.get("/api", Map.of())));
        connected.execute(ApiRequest.get("/api", Map.of())).close();
        TransportException byDeadline =
                catchThrowableOfType(TransportException.class, () -> connected.execute(request));

        assertThat(byRead.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(byDeadline.kind()).isEqualTo(Kind.TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2562047788015215H30M7S", "PT720H", "PT0.0000001S"})
    void create_timeoutsThatNoTimerHolds_areKeptAsNearAsCanBe(Duration any) throws Exception {
        Timeouts normal = Timeouts.DEFAULT;
        for (Timeouts timeouts : List.of(
                new Timeouts(any, normal.read(), normal.call(), normal.ping(), normal.idle()),
                new Timeouts(normal.connect(), any, normal.call(), normal.ping(), normal.idle()),
                new Timeouts(normal.connect(), normal.read(), any, normal.ping(), normal.idle()),
                new Timeouts(normal.connect(), normal.read(), normal.call(), any, normal.idle()),
                new Timeouts(normal.connect(), normal.read(), normal.call(), normal.ping(), any))) {
            OkHttpTransport transport = transport(config().timeouts(timeouts));
            if (any.toHours() > 0) {
                server.enqueue(response(200).body("{}").build());
                transport.stream(ApiRequest.get("/api", Map.of())).close();
            }
            assertThat(List.of(timeouts.connect(), timeouts.read(), timeouts.call(), timeouts.ping(), timeouts.idle()))
                    .allMatch(timeout -> timeout.toMillis() > 0 && timeout.toMillis() <= Integer.MAX_VALUE);
        }
    }

    @Test
    void execute_afterClose_isRefused() {
        OkHttpTransport transport = transport();
        transport.close();
        transport.close();

        assertThatThrownBy(() -> transport.execute(ApiRequest.get("/api", Map.of())))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void execute_interruptedCaller_isClosedAndStaysInterrupted() {
        // RX-02
        server.enqueue(response(200).body("{}").build());
        Thread.currentThread().interrupt();

        Throwable failure = catchThrowable(() -> transport().execute(ApiRequest.get("/api", Map.of())));

        boolean interrupted = Thread.interrupted();
        assertThat(failure)
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
        assertThat(interrupted).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://h",
                "https://",
                "https://h:99999",
                "ht tp://h",
                "https://u:secret@h:99999/?token=secret",
                "https://u:secret@h",
                "https://h?token=secret",
                "https://h#secret",
                " https://h",
                "https:\\\\h",
                "h/p",
                "://h",
            })
    void create_serverThatIsNoUrl_isRefused(String url) {
        assertThatThrownBy(() -> OkHttpTransport.create(ClientConfig.of(url)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("cannot use the server \"")
                .hasMessageNotContaining("secret");
    }

    @Test
    void toString_ofEverything_showsNoSecret() {
        // RC-06
        ClientConfig config = ClientConfigBuilder.builder()
                .server("https://user:secret@h:6443/p?token=secret")
                .proxyUrl("http://user:secret@proxy:3128")
                .tls(TlsConfigBuilder.builder().keyData("secret").certData("c").build())
                .auth(new AuthConfig(
                        "secret",
                        "",
                        "u",
                        "secret",
                        Impersonation.NONE,
                        new ExecConfig(
                                "v1",
                                "get",
                                List.of("--secret"),
                                List.of(new ExecConfig.EnvVar("A", "secret")),
                                "",
                                false,
                                ""),
                        new AuthProvider("oidc", Map.of("client-secret", "secret"))))
                .build();

        assertThat(config.toString())
                .doesNotContain("secret")
                .contains("oidc", "***", "server=https://***@h:6443/p,", "proxyUrl=http://***@proxy:3128,");
        Kubeconfig.Cluster cluster = KubeconfigClusterBuilder.builder()
                .server(config.server())
                .proxyUrl(config.proxyUrl())
                .execConfig("{\"key\":\"secret\"}")
                .build();
        assertThat(new Kubeconfig("", Map.of("c", cluster), Map.of(), Map.of()).toString())
                .doesNotContain("secret")
                .contains("h:6443", "proxy:3128");
    }
}
