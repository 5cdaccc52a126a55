/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kubeloop.apiserver.command.KubeconfigFile;
import io.kubeloop.apiserver.http.ClientAuthorities;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.UsageException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pages over HTTPS beside an API server that knows one token, lets jane read /metrics, and publishes an authority.
 */
@Timeout(60)
class SecurePagesTest {

    @TempDir
    private static Path keys;

    private static IssuedKeys authority;
    private static String authorityPem;
    private static IssuedKeys jane;
    private static IssuedKeys server;
    private static IssuedKeys proxy;
    private static IssuedKeys mallory;

    @TempDir
    private Path dir;

    private final Queue<String> reviews = new ConcurrentLinkedQueue<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ManualScheduler time = new ManualScheduler();
    private final CountDownLatch hung = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private volatile boolean isHanging;
    private volatile int lookupCode = 200;
    private HttpServer api;
    private String kubeconfig;

    @BeforeAll
    static void makeKeys() throws Exception {
        authority = IssuedKeys.authority(keys);
        authorityPem = authority.pem();
        jane = IssuedKeys.issue(keys, "CN=jane, O=ops", "clientAuth");
        server = IssuedKeys.issue(keys, "CN=other", "serverAuth");
        proxy = IssuedKeys.issue(keys, "CN=front-proxy", "clientAuth");
        mallory = IssuedKeys.issue(keys, "CN=mallory", "clientAuth", "-ext", "san=dns:mallory.example");
    }

    @BeforeEach
    void startApi() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/apis/authentication.k8s.io/v1/tokenreviews", this::reviewToken);
        api.createContext("/apis/authorization.k8s.io/v1/subjectaccessreviews", this::reviewAccess);
        api.createContext("/api/v1/namespaces/kube-system/configmaps/", this::authorities);
        api.start();
        Path file = dir.resolve("kubeconfig");
        KubeconfigFile.write(file, "http://127.0.0.1:" + api.getAddress().getPort(), "", "");
        kubeconfig = file.toString();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        release.countDown();
        api.stop(0);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts the threads of the server", e);
        }
    }

    private void reviewToken(HttpExchange exchange) throws IOException {
        JsonObject review = body(exchange);
        reviews.add("token");
        JsonObject status = review.string("spec", "token").equals("good")
                ? JsonObject.EMPTY
                        .with("authenticated", true)
                        .with(
                                "user",
                                JsonObject.EMPTY
                                        .with("username", "jane")
                                        .with("groups", JsonArray.ofStrings(List.of("dev"))))
                : JsonObject.EMPTY.with("authenticated", false);
        answer(exchange, 201, review.with("status", status));
    }

    private void reviewAccess(HttpExchange exchange) throws IOException {
        JsonObject review = body(exchange);
        String asked = review.string("spec", "user") + " "
                + review.array("spec", "groups").strings().toList() + " "
                + review.string("spec", "nonResourceAttributes", "verb") + " "
                + review.string("spec", "nonResourceAttributes", "path");
        reviews.add(asked);
        boolean isAllowed = asked.endsWith(" get /metrics") && !asked.startsWith("system:anonymous");
        answer(exchange, 201, review.with("status", JsonObject.EMPTY.with("allowed", isAllowed)));
    }

    private void authorities(HttpExchange exchange) throws IOException {
        if (isHanging) {
            hung.countDown();
            awaitLatch(release);
        }
        JsonObject data = JsonObject.EMPTY
                .with("client-ca-file", authorityPem)
                .with("requestheader-client-ca-file", authorityPem)
                .with("requestheader-allowed-names", "[\"front-proxy\"]")
                .with("requestheader-username-headers", "[\"X-Remote-User\"]")
                .with("requestheader-group-headers", "[\"X-Remote-Group\"]")
                .with("requestheader-extra-headers-prefix", "[\"X-Remote-Extra-\"]");
        JsonObject status = JsonObject.EMPTY
                .with("kind", "Status")
                .with("status", "Failure")
                .with("message", "configmaps is forbidden")
                .with("reason", lookupCode == 404 ? "NotFound" : "Forbidden")
                .with("code", lookupCode);
        answer(exchange, lookupCode, lookupCode == 200 ? JsonObject.EMPTY.with("data", data) : status);
    }

    private static JsonObject body(HttpExchange exchange) throws IOException {
        return JsonObject.parse(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int code, JsonObject body) throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private SecurePages pages(int port, String... more) {
        List<String> flags = new ArrayList<>(List.of(more));
        flags.add("--bind-address=127.0.0.1");
        SecurePages pages =
                new SecurePages(ControllerManagerCommand.OPTIONS.parse(flags.toArray(String[]::new)), port, time);
        open.add(pages);
        return pages;
    }

    private SecurePages serve(String... more) {
        SecurePages pages = pages(0, more);
        for (String path : List.of("/healthz", "/metrics", "/configz")) {
            pages.http().page(path, "text/plain", () -> path.getBytes(StandardCharsets.UTF_8));
        }
        pages.http().start();
        return pages;
    }

    @Test
    void port_isSharedByManagersThatPermitIt() {
        int port = serve("--permit-port-sharing").http().port();
        assertThat(pages(port, "--permit-port-sharing").http().port()).isEqualTo(port);
        assertThatThrownBy(() -> pages(port)).isInstanceOf(CommandException.class);
    }

    private SecurePages delegating(String... more) {
        List<String> flags = new ArrayList<>(List.of(more));
        flags.add("--authentication-kubeconfig=" + kubeconfig);
        flags.add("--authorization-kubeconfig=" + kubeconfig);
        return serve(flags.toArray(String[]::new));
    }

    private record Answer(int statusCode, String body) {}

    private static Answer get(SecurePages pages, String path, @Nullable IssuedKeys client, Map<String, String> headers)
            throws Exception {
        return get(pages, path, client, headers, new TrustEveryServer());
    }

    private static Answer get(
            SecurePages pages,
            String path,
            @Nullable IssuedKeys client,
            Map<String, String> headers,
            TrustManager trust)
            throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                client == null ? null : client.identity().toArray(KeyManager[]::new), new TrustManager[] {trust}, null);
        HttpsURLConnection connection = (HttpsURLConnection)
                URI.create("https://127.0.0.1:" + pages.http().port() + path)
                        .toURL()
                        .openConnection();
        connection.setSSLSocketFactory(context.getSocketFactory());
        if (trust instanceof TrustEveryServer) {
            connection.setHostnameVerifier((name, session) -> true);
        }
        headers.forEach(connection::setRequestProperty);
        int code = connection.getResponseCode();
        try (InputStream body = code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(code, new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The certificate of the pages is checked by {@link #certificate_isMadeOnce_inItsDirectory}. */
    static final class TrustEveryServer extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** The text is the one that kube-controller-manager 1.36.3 sends. */
    @Test
    void withoutKubeconfigs_openPathsAloneAreServed() throws Exception {
        SecurePages pages = serve();

        assertThat(get(pages, "/healthz", null, Map.of()).statusCode()).isEqualTo(200);
        Answer refused = get(pages, "/metrics", null, Map.of("Authorization", "Bearer x"));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(JsonObject.parse(refused.body()))
                .isEqualTo(JsonObject.parse("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                        + "\"status\":\"Failure\",\"message\":"
                        + "\"forbidden: User \\\"system:anonymous\\\" cannot get path \\\"/metrics\\\"\","
                        + "\"reason\":\"Forbidden\",\"details\":{},\"code\":403}"));
    }

    @Test
    void alwaysAllowedPaths_mayEndWithAStar() throws Exception {
        SecurePages pages = serve("--authorization-always-allow-paths=/met*,/configz");

        assertThat(get(pages, "/metrics", null, Map.of()).statusCode()).isEqualTo(200);
        assertThat(get(pages, "/configz", null, Map.of()).statusCode()).isEqualTo(200);
        assertThat(get(pages, "/healthz", null, Map.of()).statusCode()).isEqualTo(403);
    }

    @Test
    void token_isReviewedByTheServer_andTheResultIsKept() throws Exception {
        SecurePages pages = delegating("--authentication-skip-lookup");
        Map<String, String> good = Map.of("Authorization", "Bearer good");

        assertThat(get(pages, "/metrics", null, good).body()).isEqualTo("/metrics");
        assertThat(get(pages, "/metrics", null, good).statusCode()).isEqualTo(200);
        assertThat(get(pages, "/configz", null, good).statusCode()).isEqualTo(403);
        assertThat(get(pages, "/metrics", null, Map.of("Authorization", "Bearer bad"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(reviews)
                .containsExactly(
                        "token",
                        "jane [dev, system:authenticated] get /metrics",
                        "jane [dev, system:authenticated] get /configz",
                        "token");
    }

    @Test
    void clientCertificate_namesTheUser_ifAPublishedAuthorityIssuedIt() throws Exception {
        SecurePages pages = delegating();
        pages.lookUp();

        assertThat(get(pages, "/metrics", jane, Map.of()).statusCode()).isEqualTo(200);
        assertThat(get(pages, "/metrics", server, Map.of()).statusCode()).isEqualTo(403);
        assertThat(reviews)
                .containsExactly(
                        "jane [ops, system:authenticated] get /metrics",
                        "system:anonymous [system:unauthenticated] get /metrics");
    }

    @Test
    void headersOfAFrontProxy_countWithItsCertificateAlone() throws Exception {
        SecurePages pages = delegating();
        pages.lookUp();
        Map<String, String> headers = Map.of("X-Remote-User", "ann", "X-Remote-Group", "system:masters");

        assertThat(get(pages, "/configz", proxy, headers).statusCode()).isEqualTo(200);
        assertThat(get(pages, "/configz", mallory, headers).statusCode()).isEqualTo(403);
        assertThat(get(pages, "/configz", null, headers).statusCode()).isEqualTo(403);
        assertThat(reviews).allMatch(review -> !review.startsWith("ann"));
    }

    @Test
    void lookupThatIsForbidden_endsTheManager_unlessTolerated() {
        lookupCode = 403;
        SecurePages strict = delegating();
        SecurePages tolerant = delegating("--authentication-tolerate-lookup-failure");

        assertThatThrownBy(strict::lookUp)
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("extension-apiserver-authentication-reader");
        tolerant.lookUp();
        lookupCode = 404;
        delegating().lookUp();
    }

    /** The lookup of the old authorities takes 10 s, the limit of a request; a probe of a kubelet waits for 1 s. */
    @Test
    void pages_areServed_whileALookupHangs() throws Exception {
        SecurePages pages = delegating();
        pages.lookUp();
        isHanging = true;
        Thread lookup = new Thread(() -> time.advance(Duration.ofMinutes(1)), "kubeloop-test-lookup");
        lookup.start();
        hung.await();

        assertThat(get(pages, "/healthz", null, Map.of()).statusCode()).isEqualTo(200);
        assertThat(get(pages, "/configz", proxy, Map.of("X-Remote-User", "ann", "X-Remote-Group", "system:masters"))
                        .statusCode())
                .as("the former authorities stay")
                .isEqualTo(200);
        assertThat(lookup.isAlive()).as("the lookup still hangs").isTrue();
        release.countDown();
        lookup.join();
    }

    @Test
    void authorities_areReadAgain_eachMinute_andSoonAfterAFailure() throws Exception {
        SecurePages pages = delegating();
        lookupCode = 404;
        pages.lookUp();
        Map<String, String> headers = Map.of("X-Remote-User", "ann", "X-Remote-Group", "system:masters");
        assertThat(get(pages, "/configz", proxy, headers).statusCode()).isEqualTo(403);
        lookupCode = 403;
        time.advance(Duration.ofMinutes(1));
        lookupCode = 200;
        time.advance(Duration.ofSeconds(9));
        assertThat(get(pages, "/configz", proxy, headers).statusCode()).isEqualTo(403);
        time.advance(Duration.ofSeconds(1));

        assertThat(get(pages, "/configz", proxy, headers).statusCode()).isEqualTo(200);
    }

    @Test
    void certificate_isMadeOnce_inItsDirectory() throws Exception {
        Path directory = dir.resolve("certificates");
        serve("--cert-dir=" + directory);
        String made = Files.readString(directory.resolve("kube-controller-manager.crt"));
        serve("--cert-dir=" + directory);

        assertThat(Files.readString(directory.resolve("kube-controller-manager.crt")))
                .isEqualTo(made);
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("kube-controller-manager.key"))))
                .isEqualTo("rw-------");
        assertThat(ClientAuthorities.load(made.getBytes(StandardCharsets.US_ASCII)))
                .isNotNull();
    }

    @Test
    void certificateOfTheOptions_isTheOneThatClientsSee() throws Exception {
        Path certificate = Files.writeString(dir.resolve("tls.crt"), authorityPem);
        Path key = Files.writeString(dir.resolve("tls.key"), authority.key());
        SecurePages pages = serve("--tls-cert-file=" + certificate, "--tls-private-key-file=" + key);

        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", authority.certificate());
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(trusted);

        assertThat(get(pages, "/healthz", null, Map.of(), managers.getTrustManagers()[0])
                        .body())
                .isEqualTo("/healthz");
        assertThatThrownBy(() -> serve("--tls-cert-file=" + certificate))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("require each other");
    }

    private static SSLSession handshake(SecurePages pages, String serverName, String... suites) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustEveryServer()}, null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket("127.0.0.1", pages.http().port())) {
            SSLParameters parameters = socket.getSSLParameters();
            if (!serverName.isEmpty()) {
                parameters.setServerNames(List.of(new SNIHostName(serverName)));
            }
            if (suites.length > 0) {
                parameters.setProtocols(new String[] {"TLSv1.2"});
                parameters.setCipherSuites(suites);
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket.getSession();
        }
    }

    private static String subject(SecurePages pages, String serverName) throws Exception {
        return ((X509Certificate) handshake(pages, serverName).getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(dir.resolve(name), content).toString();
    }

    private void replace(String name, String content) throws IOException {
        Path part = Files.writeString(dir.resolve(name + ".part"), content);
        Files.move(part, dir.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    /** As a secret that a volume mounts: the files are replaced one after the other. */
    @Test
    void certificateThatChanges_isReadAgain_onceItsKeyFits() throws Exception {
        SecurePages pages = serve(
                "--tls-cert-file=" + file("tls.crt", jane.pem()),
                "--tls-private-key-file=" + file("tls.key", jane.key()));
        assertThat(subject(pages, "")).isEqualTo("CN=jane,O=ops");
        replace("tls.crt", server.pem());
        assertThat(subject(pages, "")).isEqualTo("CN=jane,O=ops");
        replace("tls.key", server.key());
        assertThat(subject(pages, "")).isEqualTo("CN=other");
        replace("tls.crt", "no certificate");
        assertThat(subject(pages, "")).isEqualTo("CN=other");
        Files.delete(dir.resolve("tls.key"));
        assertThat(subject(pages, "")).isEqualTo("CN=other");
    }

    @Test
    void serverName_selectsTheCertificate() throws Exception {
        String one = file("one.crt", server.pem()) + "," + file("one.key", server.key());
        String two = file("two.crt", proxy.pem()) + "," + file("two.key", proxy.key());
        String own = file("own.crt", mallory.pem()) + "," + file("own.key", mallory.key());
        SecurePages pages = serve(
                "--tls-cert-file=" + file("tls.crt", jane.pem()),
                "--tls-private-key-file=" + file("tls.key", jane.key()),
                "--tls-sni-cert-key=" + one + ":*.shop.example,till.example",
                "--tls-sni-cert-key=" + two + ":main.shop.example,till.example",
                "--tls-sni-cert-key=" + own);

        assertThat(subject(pages, "a.shop.example")).isEqualTo("CN=other");
        assertThat(subject(pages, "till.example")).isEqualTo("CN=other");
        assertThat(subject(pages, "MAIN.shop.example")).isEqualTo("CN=front-proxy");
        assertThat(subject(pages, "mallory.example")).isEqualTo("CN=mallory");
        assertThat(subject(pages, "a.b.shop.example")).isEqualTo("CN=jane,O=ops");
        assertThat(subject(pages, "")).isEqualTo("CN=jane,O=ops");
    }

    @Test
    void cipherSuites_limitTls12Alone() throws Exception {
        SecurePages pages = serve("--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,"
                + "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,TLS_RSA_WITH_RC4_128_SHA");
        assertThat(handshake(pages, "").getProtocol()).isEqualTo("TLSv1.3");
        assertThatThrownBy(() -> handshake(pages, "", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"))
                .isInstanceOf(SSLException.class);
        SecurePages newest = serve("--tls-min-version=VersionTLS13");
        assertThat(handshake(newest, "").getProtocol()).isEqualTo("TLSv1.3");
        assertThatThrownBy(() -> handshake(newest, "", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"))
                .isInstanceOf(SSLException.class);
    }

    /** The messages that kube-controller-manager 1.36.3 printed for the same flags. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--tls-min-version=X | unknown tls version \"X\"",
                "--tls-cipher-suites=X | Cipher suite X not supported or doesn't exist",
                "--tls-sni-cert-key=a,b | failed to load SNI cert and key: java.nio.file.NoSuchFileException: a",
            })
    void wrongOptionsOfTls_areRefused(String flag, String message) {
        assertThatThrownBy(() -> serve(flag)).isInstanceOf(UsageException.class).hasMessage(message);
    }
}
