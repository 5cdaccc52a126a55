/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.testing.CapturedLog;
import io.kubeloop.transport.http.tls.Certificates;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The trust in servers, and the certificate of the client. */
@Isolated("looks at all threads, and reads standard error")
class OkHttpTlsTest {

    private static final ApiRequest GET = ApiRequest.get("/api", Map.of());

    /** The logger of the mock server, for clients that disconnect; kept because loggers are weakly referenced. */
    private static final Logger PEER_LOG = Logger.getLogger(OkHttpClient.class.getName());

    private static HeldCertificate authority;
    private static HeldCertificate stranger;
    private static HeldCertificate serverCertificate;
    private static HeldCertificate expired;

    @TempDir
    Path directory;

    private final MockWebServer server = new MockWebServer();
    private final List<OkHttpTransport> transports = new ArrayList<>();

    /** Makes a transport; a subclass overrides it to run these tests with another TLS provider. */
    OkHttpTransport.Builder builder(ClientConfig config) {
        return OkHttpTransport.builder(config);
    }

    @BeforeAll
    static void makeCertificates() {
        PEER_LOG.setLevel(Level.WARNING);
        authority = new HeldCertificate.Builder()
                .certificateAuthority(0)
                .commonName("ca")
                .build();
        stranger = new HeldCertificate.Builder()
                .certificateAuthority(0)
                .commonName("other")
                .build();
        serverCertificate = new HeldCertificate.Builder()
                .commonName("server")
                .addSubjectAlternativeName("127.0.0.1")
                .addSubjectAlternativeName("api.internal.example")
                .signedBy(authority)
                .build();
        expired = new HeldCertificate.Builder()
                .addSubjectAlternativeName("127.0.0.1")
                .validityInterval(0, 1000)
                .signedBy(authority)
                .build();
    }

    @BeforeEach
    void clear() {
        transports.clear();
    }

    @AfterEach
    void close() {
        transports.forEach(OkHttpTransport::close);
        server.close();
    }

    private void start(HeldCertificate certificate) throws Exception {
        HandshakeCertificates handshake = new HandshakeCertificates.Builder()
                .heldCertificate(certificate)
                .addTrustedCertificate(authority.certificate())
                .build();
        server.useHttps(handshake.sslSocketFactory());
        server.enqueue(new MockResponse.Builder().body("{}").build());
        server.start();
    }

    private OkHttpTransport transport(TlsConfig tls) {
        OkHttpTransport transport = builder(ClientConfigBuilder.builder()
                        .server("https://127.0.0.1:" + server.getPort())
                        .tls(tls)
                        .build())
                .build();
        transports.add(transport);
        return transport;
    }

    private static TlsConfigBuilder trusting(HeldCertificate ca) {
        return TlsConfigBuilder.builder().caData(ca.certificatePem());
    }

    private RecordedRequest call(TlsConfig tls) throws Exception {
        try (ApiResponse response = transport(tls).execute(GET)) {
            assertThat(new String(response.body().readAllBytes(), UTF_8)).isEqualTo("{}");
        }
        return server.takeRequest();
    }

    private TransportException refusal(TlsConfig tls) {
        return catchThrowableOfType(
                TransportException.class, () -> transport(tls).execute(GET));
    }

    @Test
    void execute_trustedServer_usesHttp2() throws Exception {
        start(serverCertificate);

        assertThat(call(trusting(authority).build()).getVersion()).isEqualTo("HTTP/2");
    }

    @Test
    void execute_caFromFile_isTrusted() throws Exception {
        start(serverCertificate);
        Path ca = Files.writeString(
                directory.resolve("ca.pem"), "comment\n" + stranger.certificatePem() + authority.certificatePem());

        call(TlsConfigBuilder.builder().caFile(ca.toString()).build());
    }

    @Test
    void execute_unknownAuthority_isRefusedWithoutRetry() throws Exception {
        start(serverCertificate);

        TransportException failure = refusal(trusting(stranger).build());

        assertThat(failure.kind()).isEqualTo(Kind.TLS);
        assertThat(failure)
                .hasMessageContaining("GET /api at https://127.0.0.1:")
                .hasMessageContaining("TLS failed");
        assertThat(refusal(TlsConfig.NONE).kind()).isEqualTo(Kind.TLS);
    }

    @Test
    void execute_expiredCertificate_isRefused() throws Exception {
        start(expired);

        assertThat(refusal(trusting(authority).build()).kind()).isEqualTo(Kind.TLS);
    }

    @Test
    void execute_wrongHost_isRefusedUnlessNamed() throws Exception {
        // TP-01
        start(new HeldCertificate.Builder()
                .addSubjectAlternativeName("api.internal.example")
                .signedBy(authority)
                .build());

        assertThat(refusal(trusting(authority).build()).kind()).isEqualTo(Kind.TLS);
        assertThat(refusal(trusting(authority)
                                .serverName("other.internal.example")
                                .build())
                        .kind())
                .isEqualTo(Kind.TLS);
        RecordedRequest request =
                call(trusting(authority).serverName("api.internal.example").build());
        assertThat(request.getHandshakeServerNames()).containsExactly("api.internal.example");
    }

    @Test
    void execute_insecure_acceptsAnyCertificateAndWarnsOnce() throws Exception {
        start(expired);
        server.enqueue(new MockResponse.Builder().body("{}").build());

        try (CapturedLog log = new CapturedLog()) {
            OkHttpTransport insecure =
                    transport(TlsConfigBuilder.builder().insecure(true).build());
            insecure.execute(GET).close();
            insecure.execute(GET).close();

            assertThat(log.text())
                    .containsOnlyOnce("TLS certificates are not verified: any server can impersonate https://127.0.0.1:"
                            + server.getPort());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void execute_clientCertificate_isShown(boolean rsa) throws Exception {
        HeldCertificate.Builder builder =
                new HeldCertificate.Builder().commonName("me").signedBy(authority);
        HeldCertificate client = (rsa ? builder.rsa2048() : builder.ecdsa256()).build();
        server.requireClientAuth();
        start(serverCertificate);
        Path key = Files.writeString(
                directory.resolve("key"), rsa ? client.privateKeyPkcs1Pem() : client.privateKeyPkcs8Pem());

        RecordedRequest request = call(trusting(authority)
                .certData(client.certificatePem() + authority.certificatePem())
                .keyFile(key.toString())
                .build());

        assertThat(request.getHandshake().peerPrincipal()).hasToString("CN=me");
    }

    @ParameterizedTest
    @CsvSource({
        "rsa.crt, rsa-pkcs1.key",
        "ec256.crt, ec256-sec1.key",
        "ec384.crt, ec384-sec1.key",
        "ed25519.crt, ed25519-pkcs8.key"
    })
    void execute_clientCertificateOfEveryKind_isShown(String certificate, String key) throws Exception {
        // users #34
        String pem = resource(certificate);
        server.requireClientAuth();
        server.useHttps(new HandshakeCertificates.Builder()
                .heldCertificate(serverCertificate)
                .addTrustedCertificate(Certificates.parse(pem).get(0))
                .build()
                .sslSocketFactory());
        server.enqueue(new MockResponse.Builder().body("{}").build());
        server.start();

        RecordedRequest request =
                call(trusting(authority).certData(pem).keyData(resource(key)).build());

        assertThat(request.getHandshake().peerPrincipal()).hasToString("CN=test");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = OkHttpTlsTest.class.getResourceAsStream("/keys/" + name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void stream_twoHundredOverHttp2_allOpenAndWritesStillPass() throws Exception {
        // users #4: where a server allows fewer streams on a connection, OkHttp opens another one.
        int count = 200;
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                boolean watch = request.getMethod().equals("GET");
                return watch
                        ? new MockResponse.Builder()
                                .body("{\"a\":1}{\"b\":")
                                .throttleBody(7, 1, TimeUnit.HOURS)
                                .build()
                        : new MockResponse.Builder().body("{}").build();
            }
        });
        server.useHttps(LoopbackTls.serving(serverCertificate));
        server.start();
        OkHttpTransport transport = transport(trusting(authority).build());
        List<ApiStream> streams = new ArrayList<>();

        for (int i = 0; i < count; i++) {
            streams.add(transport.stream(GET));
        }
        for (ApiStream stream : streams) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo("{\"a\":1}");
        }
        for (int i = 0; i < 20; i++) {
            transport
                    .execute(ApiRequest.of("POST", "/api", Map.of(), ApiRequest.Body.json("{}".getBytes(UTF_8))))
                    .close();
        }

        assertThat(server.getRequestCount()).isEqualTo(count + 20);
        streams.forEach(ApiStream::close);
    }

    @Test
    void execute_clientCertificateMissing_isATlsFailure() throws Exception {
        server.setProtocols(List.of(Protocol.HTTP_1_1));
        server.requireClientAuth();
        start(serverCertificate);

        TransportException failure = refusal(trusting(authority).build());

        // With TLS 1.3, the rejection follows the handshake, and may be lost with the end of the connection.
        assertThat(failure.kind()).isIn(Kind.TLS, Kind.BROKEN);
    }

    @Test
    void stream_http2_endsByDeadlineAndByClose() throws Exception {
        start(serverCertificate);
        OkHttpTransport transport = transport(trusting(authority).build());
        // The deadline must not include the connect, so the connection is opened before.
        transport.execute(GET).close();
        server.enqueue(stalling());

        try (ApiStream stream = transport.stream(
                new ApiRequest("GET", "/api", Map.of(), ApiRequest.JSON, null, Duration.ofSeconds(2)))) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo("{\"a\":1}");
            assertThat(catchThrowableOfType(TransportException.class, stream::next)
                            .kind())
                    .isEqualTo(Kind.TIMEOUT);
        }
    }

    /** Returns a response of one and a half frames, without an end. */
    private static MockResponse stalling() {
        return new MockResponse.Builder()
                .body("{\"a\":1}{\"b\":")
                .trailersDelay(1, TimeUnit.HOURS)
                .throttleBody(7, 1, TimeUnit.HOURS)
                .build();
    }

    @Test
    void close_http2WithOpenStreams_leavesNoConnectionBehind() throws Exception {
        // I12: an HTTP/2 connection has its own thread, which is named after its host.
        HeldCertificate certificate = new HeldCertificate.Builder()
                .addSubjectAlternativeName("localhost")
                .build();
        start(certificate);
        server.enqueue(stalling());
        OkHttpTransport transport = builder(ClientConfigBuilder.builder()
                        .server("https://localhost:" + server.getPort())
                        .tls(trusting(certificate).build())
                        .build())
                .build();
        transport.execute(GET).close();
        ApiStream stream = transport.stream(GET);
        assertThat(stream.next()).isNotNull();
        assertThat(connectionThreads()).isPositive();

        transport.close();
        assertThat(stream.next()).isNull();

        await().until(() -> connectionThreads() == 0);
    }

    private static long connectionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("OkHttp localhost"))
                .count();
    }

    @Test
    void create_contradictions_areRefused() {
        // TP-04
        HeldCertificate client = new HeldCertificate.Builder().build();

        assertThatThrownBy(() -> transportTo(trusting(authority).insecure(true).build()))
                .hasMessageContaining("exclude each other");
        assertThatThrownBy(() -> transportTo(TlsConfigBuilder.builder()
                        .certData(client.certificatePem())
                        .build()))
                .hasMessageContaining("need each other");
        assertThatThrownBy(() -> transportTo(
                        TlsConfigBuilder.builder().caFile("/does/not/exist").build()))
                .isInstanceOf(TransportException.class)
                .hasMessage("cannot read certificate authority /does/not/exist: no such file");
        assertThatThrownBy(() ->
                        transportTo(TlsConfigBuilder.builder().caData("CA").build()))
                .hasMessage("certificate authority data: no PEM certificate");
        assertThatThrownBy(() -> transportTo(TlsConfigBuilder.builder()
                        .certData(client.certificatePem())
                        .keyData(client.certificatePem())
                        .build()))
                .hasMessage("client certificate data with key data: no PEM private key, only [CERTIFICATE]");
    }

    private OkHttpTransport transportTo(TlsConfig tls) {
        return builder(ClientConfigBuilder.builder()
                        .server("https://h")
                        .tls(tls)
                        .build())
                .build();
    }
}
