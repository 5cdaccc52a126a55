/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.CapturedLog;
import io.kubeloop.testing.ClosedPort;
import io.kubeloop.testing.LoopbackServer;
import io.kubeloop.transport.http.errors.IoErrors;
import io.kubeloop.transport.http.errors.TlsErrors;
import io.kubeloop.transport.http.kubeconfig.InClusterConfig;
import io.kubeloop.transport.http.kubeconfig.KubeconfigLoader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares every message with {@code errors.txt}, so a changed text is noticed. Each message must name what was
 * attempted, on what, and a remedy if one is known. No message may contain a secret: every secret of these tests
 * contains the word {@code s3cr3t}. {@code -Dsnapshots.update=FILE} writes the current messages to a file. Long because
 * one snapshot contains all messages.
 */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
@Isolated("reads standard error")
class ErrorMessagesTest {

    private static final String SECRET = "s3cr3t";
    private static final ApiRequest GET = ApiRequest.get("/api/v1/pods", Map.of());
    private static final ApiRequest DELETE = ApiRequest.of("DELETE", "/api/v1/pods", Map.of(), null);
    private static final ApiRequest WATCH = ApiRequest.get("/api/v1/pods", Map.of("watch", "true"));
    private static final Timeouts SHORT = TimeoutsBuilder.builder(Timeouts.DEFAULT)
            .read(Duration.ofMillis(500))
            .build();

    @TempDir
    Path directory;

    private final Map<String, String> messages = new LinkedHashMap<>();
    private final HeldCertificate authority =
            new HeldCertificate.Builder().certificateAuthority(0).build();

    private interface Attempt {
        void run() throws Exception;
    }

    private void fails(String situation, Attempt attempt) {
        Throwable failure = catchThrowable(attempt::run);
        assertThat(failure).as(situation).isNotNull();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertThat(String.valueOf(cause.getMessage())).as(situation).doesNotContain(SECRET);
        }
        messages.put(
                situation,
                failure.getMessage()
                        .replace(directory.toString(), "$DIR")
                        .replaceAll("127\\.0\\.0\\.1:[0-9]+", "127.0.0.1:\\$PORT")
                        .replaceAll("sha256/[A-Za-z0-9+/=]+", "\\$HASH")
                        .replaceAll("CN=[0-9a-f-]+", "CN=\\$NAME")
                        .replaceAll("NotAfter: [^)]+", "NotAfter: \\$DATE"));
    }

    /** Makes a transport; a subclass overrides it to run these tests with another TLS provider. */
    OkHttpTransport.Builder builder(ClientConfig config) {
        return OkHttpTransport.builder(config);
    }

    @Test
    void messages_ofEverythingThatCanFail_areThoseOfTheSnapshot() throws Exception {
        // RR-01, RR-02, RR-03, RC-02, TP-11, CC-20, CC-61, AU-14
        try (CapturedLog log = new CapturedLog()) {
            kubeconfig();
            configuration();
            credentials();
            connection();
            tls();
            answers();
            assertThat(log.text()).doesNotContain(SECRET);
        }

        StringBuilder now = new StringBuilder();
        messages.forEach((situation, message) ->
                now.append(situation).append("\n    ").append(message).append('\n'));
        String update = System.getProperty("snapshots.update");
        if (update != null) {
            Files.writeString(Path.of(update), now);
        }
        try (InputStream in = getClass().getResourceAsStream("/errors.txt")) {
            assertThat(now.toString()).isEqualTo(new String(in.readAllBytes(), UTF_8));
        }
    }

    private void load(String situation, String content) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), content);
        fails("kubeconfig: " + situation, () -> Kubeconfigs.load(file));
    }

    private void user(String situation, String user) throws IOException {
        load(situation, """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h"}}]
                users: [{name: u, user: %s}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """.formatted(user));
    }

    private void kubeconfig() throws IOException {
        fails("kubeconfig: no file", () -> Kubeconfigs.load(directory.resolve("none")));
        fails("kubeconfig: a directory", () -> Kubeconfigs.load(directory));
        load("empty", "");
        load("not YAML", "clusters: [{name: \"s3cr3t");
        load("something else", "kind: Pod\napiVersion: v1\n");
        load("a list where a map belongs", "contexts: [{name: x, context: [s3cr3t]}]\n");
        load("a number for a token", "users: [{name: u, user: {token: 5}}]\n");
        load("data that is not base64", "users: [{name: u, user: {client-key-data: \"*s3cr3t*\"}}]\n");
        load("two users of one name", "users: [{name: u}, {name: u}]\n");
        load("unknown current context", """
                current-context: other
                clusters: [{name: c, cluster: {server: "https://h"}}]
                contexts: [{name: x, context: {cluster: c}}]
                """);
        load("unknown cluster of the context", """
                current-context: x
                clusters: [{name: c, cluster: {server: "https://h"}}]
                contexts: [{name: x, context: {cluster: d}}]
                """);
        load("cluster without server", """
                current-context: x
                clusters: [{name: c, cluster: {certificate-authority: ca.pem, proxy-url: "ftp://p"}}]
                contexts: [{name: x, context: {cluster: c}}]
                """);
        load("server is no URL", """
                current-context: x
                clusters: [{name: c, cluster: {server: "foo bar"}}]
                contexts: [{name: x, context: {cluster: c}}]
                """);
        user("two ways to authenticate", "{token: s3cr3t, username: u, password: s3cr3t}");
        user("certificate without key", "{client-certificate-data: QQ==}");
        user("token file missing", "{tokenFile: none}");
        user("impersonated group without user", "{as-groups: [g]}");
        user("exec and auth-provider", "{exec: {command: p}, auth-provider: {name: oidc}}");
        fails(
                "kubeconfig: unknown context asked for",
                () -> Kubeconfigs.load(
                        Files.writeString(directory.resolve("config"), "contexts: [{name: x, context: {}}]"),
                        ConfigOverridesBuilder.builder().currentContext("y").build()));
        fails(
                "kubeconfig: nothing configured",
                () -> Kubeconfigs.resolve(
                        KubeconfigLoader.ofFiles(List.of("/nowhere/config")),
                        ConfigOverrides.NONE,
                        new InClusterConfig(Map.of())));
        fails("in cluster: no pod", () -> new InClusterConfig(Map.of()).load());
        fails(
                "in cluster: no token",
                () -> new InClusterConfig(
                                Map.of("KUBERNETES_SERVICE_HOST", "h", "KUBERNETES_SERVICE_PORT", "1"), directory)
                        .load());
    }

    private void create(String situation, ClientConfigBuilder config) {
        fails(
                "configuration: " + situation,
                () -> builder(config.build()).build().close());
    }

    private static ClientConfigBuilder to(String server) {
        return ClientConfigBuilder.builder().server(server);
    }

    private void configuration() throws Exception {
        create("server is no URL", to("foo bar"));
        create("server of another scheme", to("ftp://h"));
        create("server with a user", to("https://u:s3cr3t@h"));
        create("server with a query", to("https://h/?s3cr3t"));
        create("proxy is no URL", to("https://h").proxyUrl("http://u:s3cr3t@ p"));
        create("proxy of an unknown kind", to("https://h").proxyUrl("ftp://u:s3cr3t@p"));
        create("proxy without host", to("https://h").proxyUrl("http:///s3cr3t"));
        fails(
                "configuration: rate limit without burst",
                () -> ClientConfig.of("https://h").withRateLimit(5, 0));
        HeldCertificate pair = new HeldCertificate.Builder().build();
        HeldCertificate other = new HeldCertificate.Builder().build();
        tlsConfig("authority file missing", TlsConfigBuilder.builder().caFile(directory + "/none"));
        tlsConfig("authority without certificate", TlsConfigBuilder.builder().caData("s3cr3t"));
        tlsConfig(
                "authority and insecure", TlsConfigBuilder.builder().caData("x").insecure(true));
        tlsConfig("certificate without key", TlsConfigBuilder.builder().certData(pair.certificatePem()));
        tlsConfig(
                "key of another certificate",
                TlsConfigBuilder.builder().certData(pair.certificatePem()).keyData(other.privateKeyPkcs8Pem()));
        tlsConfig(
                "certificate instead of key",
                TlsConfigBuilder.builder().certData(pair.certificatePem()).keyData(pair.certificatePem()));
        tlsConfig(
                "encrypted key",
                TlsConfigBuilder.builder()
                        .certData(pair.certificatePem())
                        .keyData("-----BEGIN ENCRYPTED PRIVATE KEY-----\nczNjcjN0\n-----END ENCRYPTED PRIVATE "
                                + "KEY-----"));
        tlsConfig(
                "key that is damaged",
                TlsConfigBuilder.builder()
                        .certData(pair.certificatePem())
                        .keyData("-----BEGIN PRIVATE KEY-----\nczNjcjN0\n-----END PRIVATE KEY-----"));
    }

    private void tlsConfig(String situation, TlsConfigBuilder tls) {
        create(situation, to("https://h").tls(tls.build()));
    }

    private void auth(String situation, AuthConfigBuilder auth) {
        auth(situation, auth, Duration.ofMinutes(1));
    }

    private void auth(String situation, AuthConfigBuilder auth, Duration execTimeout) {
        fails("credentials: " + situation, () -> {
            try (OkHttpTransport transport = builder(
                            to("http://127.0.0.1:1").auth(auth.build()).build())
                    .execTimeout(execTimeout)
                    .build()) {
                transport.execute(GET);
            }
        });
    }

    private void plugin(String situation, String script) throws IOException {
        Path file = Files.writeString(directory.resolve("plugin"), script);
        auth("exec plugin: " + situation, exec("/bin/sh", List.of(file.toString()), "Never"));
    }

    private static AuthConfigBuilder exec(String command, List<String> args, String mode) {
        return AuthConfigBuilder.builder()
                .exec(new ExecConfig(
                        "client.authentication.k8s.io/v1",
                        command,
                        args,
                        List.of(new ExecConfig.EnvVar("KEY", SECRET)),
                        "Get it from https://example.com/plugin",
                        false,
                        mode));
    }

    private void credentials() throws IOException {
        auth("token file missing", AuthConfigBuilder.builder().tokenFile(directory + "/none"));
        auth(
                "token file empty",
                AuthConfigBuilder.builder()
                        .tokenFile(Files.writeString(directory.resolve("empty"), "\n")
                                .toString()));
        auth("token and user", AuthConfigBuilder.builder().token(SECRET).username("u"));
        auth(
                "group without user",
                AuthConfigBuilder.builder().impersonation(new Impersonation("", "", List.of("g"), Map.of())));
        for (String name : List.of("oidc", "gcp", "azure", "other")) {
            auth(
                    "auth-provider " + name,
                    AuthConfigBuilder.builder().authProvider(new AuthProvider(name, Map.of("refresh-token", SECRET))));
        }
        auth("exec plugin: missing", exec("/no/such/plugin", List.of("--token=s3cr3t"), "Never"));
        auth("exec plugin: needs a terminal", exec("p", List.of(), "Always"));
        auth(
                "exec plugin: of an old version",
                AuthConfigBuilder.builder()
                        .exec(new ExecConfig(
                                "client.authentication.k8s.io/v1alpha1", "p", List.of(), List.of(), "", false, "")));
        plugin("fails", "echo 'not logged in' >&2; exit 3");
        plugin("fails in silence", "exit 3");
        auth("exec plugin: hangs", exec("/bin/sh", List.of("-c", "sleep 1000"), "Never"), Duration.ofMillis(300));
        plugin("floods its standard output", "head -c 2000000 /dev/zero");
        plugin("answers nonsense", "echo s3cr3t");
        plugin("answers something else", "echo '{\"kind\":\"Status\",\"apiVersion\":\"v1\"}'");
        String head = "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\"";
        plugin("answers nothing", "echo '" + head + "}'");
        plugin("answers half a pair", "echo '" + head + ",\"status\":{\"clientKeyData\":\"s3cr3t\"}}'");
        plugin(
                "answers a bad certificate",
                "echo '" + head + ",\"status\":{\"clientCertificateData\":\"s3cr3t\",\"clientKeyData\":\"s3cr3t\"}}'");
        plugin(
                "answers a bad time",
                "echo '" + head + ",\"status\":{\"token\":\"s3cr3t\",\"expirationTimestamp\":\"soon\"}}'");
    }

    private void call(String situation, ClientConfigBuilder config, ApiRequest request) {
        fails("connection: " + situation, () -> {
            try (OkHttpTransport transport = builder(
                                    config.auth(AuthConfig.bearer(SECRET)).build())
                            .build();
                    ApiResponse response = transport.execute(request)) {
                response.body().readAllBytes();
            }
        });
    }

    private void connection() throws Exception {
        try (ClosedPort closed = new ClosedPort()) {
            call("nobody there", to("http://127.0.0.1:" + closed.number()), GET);
            call("unknown host", to("https://api.example.invalid"), GET);
            call("proxy not there", to("https://h").proxyUrl("http://u:s3cr3t@127.0.0.1:" + closed.number()), GET);
        }
        try (MockWebServer proxy = new MockWebServer()) {
            proxy.enqueue(new MockResponse.Builder().code(403).build());
            proxy.start();
            call("proxy refuses", to("https://h").proxyUrl("http://u:s3cr3t@127.0.0.1:" + proxy.getPort()), GET);
        }
        try (TestProxy proxy = TestProxy.socks(1, "u:p", 0)) {
            call("socks proxy refuses", to("https://h").proxyUrl("socks5://u:s3cr3t@127.0.0.1:" + proxy.port()), GET);
        }
        try (MockWebServer server = new MockWebServer()) {
            MockResponse silence = new MockResponse.Builder()
                    .onResponseStart(SocketEffect.Stall.INSTANCE)
                    .build();
            server.enqueue(silence);
            server.enqueue(new MockResponse.Builder().build());
            server.enqueue(silence);
            server.start();
            String url = "http://127.0.0.1:" + server.getPort();
            call("silent server", to(url).timeouts(SHORT), GET);
            fails("connection: deadline passed", () -> {
                try (OkHttpTransport transport =
                        builder(to(url).auth(AuthConfig.bearer(SECRET)).build()).build()) {
                    // A deadline that passes during the connect has another message, so the connection is opened
                    // before.
                    transport.execute(GET).close();
                    transport.execute(new ApiRequest(
                            "GET", "/api/v1/pods", Map.of(), ApiRequest.JSON, null, Duration.ofMillis(500)));
                }
            });
        }
        try (RawServer server = new RawServer((socket, line) -> {})) {
            call("cut before the answer", to(server.url()), GET);
        }
        try (RawServer server = new RawServer(
                (socket, line) -> RawServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"))) {
            call("cut inside the answer", to(server.url()), GET);
        }
        call("path with dots", to("http://h"), ApiRequest.get("/api/../s", Map.of()));
        fails("connection: closed transport", () -> {
            OkHttpTransport transport = builder(to("http://h").build()).build();
            transport.close();
            transport.execute(GET);
        });
        withheld();
        stream("half a frame", RawServer.answer("{\"type\":"));
        stream("garbage", RawServer.answer("<html>"));
        stream("a page", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n{}");
        stream("packed", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}");
        stream("a frame too large", RawServer.answer("{\"a\":\"" + "x".repeat(2000) + "\"}"));
    }

    private void withheld() throws IOException {
        try (RawServer server = new RawServer((socket, line) -> RawServer.write(socket, RawServer.answer("{}")));
                OkHttpTransport transport = builder(to(server.url()).build())
                        .maxResponseBytes(1)
                        .mayWrite(() -> false)
                        .build()) {
            fails("connection: answer too large", () -> {
                try (ApiResponse response = transport.execute(GET)) {
                    response.body().readAllBytes();
                }
            });
            fails("connection: a write that may not be sent", () -> transport.execute(DELETE));
            Thread.currentThread().interrupt();
            fails("connection: interrupted thread", () -> transport.execute(GET));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private void stream(String situation, String answer) throws IOException {
        try (RawServer server = new RawServer((socket, line) -> RawServer.write(socket, answer));
                OkHttpTransport transport =
                        builder(to(server.url()).build()).maxFrameBytes(1000).build()) {
            fails("watch: " + situation, () -> {
                try (ApiStream stream = transport.stream(WATCH)) {
                    stream.next();
                }
            });
        }
    }

    private HandshakeCertificates shown(HeldCertificate.Builder certificate) {
        return new HandshakeCertificates.Builder()
                .heldCertificate(certificate.signedBy(authority).build())
                .addTrustedCertificate(authority.certificate())
                .build();
    }

    private void tls() throws Exception {
        HeldCertificate.Builder good = new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1");
        TlsConfig trusting =
                TlsConfigBuilder.builder().caData(authority.certificatePem()).build();
        handshake("unknown authority", shown(good), TlsConfig.NONE);
        handshake(
                "wrong host", shown(new HeldCertificate.Builder().addSubjectAlternativeName("api.example")), trusting);
        handshake(
                "expired",
                shown(new HeldCertificate.Builder()
                        .addSubjectAlternativeName("127.0.0.1")
                        .validityInterval(0, 1000)),
                trusting);
        try (LoopbackServer web = new LoopbackServer(socket -> {
            LoopbackServer.write(socket, "HTTP/1.1 400 Bad Request\r\n\r\n");
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        })) {
            call("TLS: plain HTTP behind https://", to(web.url("https")), GET);
        }
        cutOff("reset", true);
        cutOff("closed", false);
    }

    /** The peer closes the connection after the first message of the TLS handshake. */
    private void cutOff(String situation, boolean reset) throws Exception {
        try (LoopbackServer peer = new LoopbackServer(socket -> {
            byte[] head = socket.getInputStream().readNBytes(5);
            socket.getInputStream().readNBytes(((head[3] & 0xff) << 8) | (head[4] & 0xff));
            if (reset) {
                socket.setSoLinger(true, 0);
            }
        })) {
            String url = peer.url("https");
            call("TLS: " + situation + " in the handshake", to(url), GET);
            try (OkHttpTransport transport = builder(to(url).build()).build()) {
                assertThatThrownBy(() -> transport.execute(GET))
                        .isInstanceOfSatisfying(
                                TransportException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.CONNECT));
            }
        }
    }

    private void handshake(String situation, HandshakeCertificates certificates, TlsConfig tls) throws IOException {
        try (MockWebServer server = new MockWebServer()) {
            server.useHttps(certificates.sslSocketFactory());
            server.start();
            call(
                    "TLS: " + situation,
                    to("https://127.0.0.1:" + server.getPort()).tls(tls),
                    GET);
        }
    }

    private void answers() throws Exception {
        answer("401", 401, "", status(401, "Unauthorized", "Unauthorized"));
        answer(
                "403",
                403,
                "Audit-Id: 7d1c\r\n",
                status(403, "Forbidden", "pods \\\"a\\\" is forbidden: User \\\"u\\\" cannot get resource"));
        answer("404", 404, "", status(404, "NotFound", "pods \\\"a\\\" not found"));
        answer("409", 409, "", status(409, "Conflict", "the object has been modified"));
        answer("410", 410, "", status(410, "Expired", "too old resource version: 1 (2)"));
        answer("422", 422, "", status(422, "Invalid", "Pod \\\"a\\\" is invalid: spec: Required value"));
        answer("429", 429, "", status(429, "TooManyRequests", "too many requests"));
        answer("500 without a Status", 500, "Audit-Id: 7d1d\r\n", "etcdserver: leader changed");
        answer("503 without a body", 503, "", "");
        answer("redirect", 302, "Location: https://login.example/start?token=s3cr3t\r\n", "");
        answer("page instead of JSON", 200, "Content-Type: text/html\r\n", "<html>s3cr3t</html>");
        answer("garbage", 200, "", "<html>");
        answer("half a document", 200, "", "{\"kind\":\"Pod\",");
    }

    private static String status(int code, String reason, String message) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"" + reason
                + "\",\"message\":\"" + message + "\",\"code\":" + code + "}";
    }

    private void answer(String situation, int code, String headers, String body) throws IOException {
        String whole = "HTTP/1.1 " + code + " X\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        try (RawServer server = new RawServer((socket, line) -> RawServer.write(socket, whole));
                OkHttpTransport transport = builder(
                                to(server.url()).auth(AuthConfig.bearer(SECRET)).build())
                        .build()) {
            KubeClient client = KubeClient.of(transport, JsonCodec.standard());
            fails(
                    "answer: " + situation,
                    () -> client.resource(ResourceTypes.PODS).get(new ObjectName("shop", "a")));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Received fatal alert: protocol_version | have no version of TLS in common (here: 1.2 and 1.3)",
                "Received fatal alert: certificate_required | the server requires a client certificate, or a "
                        + "different one",
                "Received fatal alert: bad_certificate | the server requires a client certificate, or a different one",
                "Received fatal alert: internal_error | Received fatal alert: internal_error",
            })
    void tlsProblem_alerts_areExplained(String alert, String words) {
        assertThat(TlsErrors.of(new javax.net.ssl.SSLHandshakeException(alert))).contains(words);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofRequest_connectionThatBrokeInTheHandshake_isNoTlsError(boolean requestStarted) {
        IOException failure = new javax.net.ssl.SSLHandshakeException("Couldn't kickstart handshaking");
        failure.initCause(new java.net.SocketException("Broken pipe"));

        TransportException translated = IoErrors.ofRequest("GET /", failure, requestStarted);

        // Only CONNECT promises that the request was not sent.
        assertThat(translated.kind()).isEqualTo(requestStarted ? Kind.BROKEN : Kind.CONNECT);
        assertThat(translated)
                .hasMessage("GET /: " + (requestStarted ? "the connection broke" : "cannot connect") + ": Broken pipe");
    }

    @Test
    void tlsProblem_certificateOfTomorrow_pointsToTheClock() {
        Exception cause = new java.security.cert.CertificateNotYetValidException("NotBefore: tomorrow");
        IOException failure = new javax.net.ssl.SSLHandshakeException("x");
        failure.initCause(cause);

        assertThat(TlsErrors.of(failure))
                .isEqualTo("the server's certificate is not valid yet (NotBefore: tomorrow); is the clock right?");
    }
}
