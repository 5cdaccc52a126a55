/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.apiserver.http.HttpApiServer.Config;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS and tokens. */
@Timeout(60)
class HttpApiTlsTest {

    private static final String UNAUTHORIZED =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                    + "\"message\":\"Unauthorized\","
                    + "\"reason\":\"Unauthorized\",\"code\":401}";

    @TempDir
    static Path dir;

    private static TestCertificate made;
    private static byte[] certificate;
    private static String key;

    private HttpApiServer httpServer;

    @BeforeAll
    static void makeCertificate() throws Exception {
        made = TestCertificate.make(dir);
        certificate = made.certificate();
        key = made.key();
    }

    @AfterEach
    void close() {
        if (httpServer != null) {
            httpServer.close();
        }
    }

    private void serve(Config config) {
        httpServer = HttpApiServer.start(
                ScriptedServer.RESOURCES,
                config,
                new ScriptedServer(request -> ScriptedServer.answer(200, "{\"a\":1}")));
    }

    private static HttpClient trusting() throws Exception {
        return HttpClient.newBuilder().sslContext(made.trusting()).build();
    }

    private HttpResponse<String> get(HttpClient client, String path, String authorization)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(httpServer.uri() + path)).timeout(Duration.ofSeconds(20));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void tls_clientThatTrustsTheCertificate_isServedRequestsAndWatches() throws Exception {
        serve(Config.DEFAULT.withTls(ServingCertificate.load(certificate, key)));
        assertThat(httpServer.uri()).hasScheme("https");
        HttpClient client = trusting();

        assertThat(get(client, "/api/v1/namespaces/d/pods/p", "").body()).isEqualTo("{\"a\":1}\n");
        HttpResponse<java.io.InputStream> watch = client.send(
                HttpRequest.newBuilder(URI.create(httpServer.uri() + "/api/v1/pods?watch=1"))
                        .build(),
                BodyHandlers.ofInputStream());
        assertThat(watch.statusCode()).isEqualTo(200);
        watch.body().close();
    }

    @Test
    void tls_clientThatDoesNotTrustIt_andOneThatSpeaksPlainly_areNotServed() throws Exception {
        serve(Config.DEFAULT.withTls(ServingCertificate.load(certificate, key)));
        // Over a socket, because about once in a thousand times the JDK's HttpClient never reports a failed
        // handshake.
        try (Socket raw =
                SSLSocketFactory.getDefault().createSocket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(((SSLSocket) raw)::startHandshake);
        }
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            plain.getOutputStream().write("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
            byte[] answer = plain.getInputStream().readAllBytes();
            assertThat(new String(answer, US_ASCII)).doesNotContain("gitVersion");
        }
    }

    @Test
    void tls_handshakeThatDoesNotComeForth_isGivenUp() throws Exception {
        serve(Config.DEFAULT
                .withTls(ServingCertificate.load(certificate, key))
                .withLimits(HttpLimits.DEFAULT.withHeaderTimeout(Duration.ofMillis(100))));
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            silent.getInputStream().readAllBytes();
        }
    }

    @Test
    void tls_handshakeInDrips_doesNotBuyTime() throws Exception {
        serve(Config.DEFAULT
                .withTls(ServingCertificate.load(certificate, key))
                .withLimits(HttpLimits.DEFAULT.withHeaderTimeout(Duration.ofMillis(300))));
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), httpServer.port())) {
            slow.getOutputStream().write(new byte[] {0x16, 3, 1, 0x3f, 0}); // a record of 16 KB
            Thread drip = new Thread(() -> {
                try {
                    while (true) {
                        slow.getOutputStream().write('x');
                        LockSupport.parkNanos(10_000_000);
                    }
                } catch (IOException e) {
                    // the server has closed the connection, as expected
                    assertThat(e).isInstanceOf(SocketException.class);
                }
            });
            drip.start();
            drip.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void close_saysGoodbyeToIdleClients(String protocol) throws Exception {
        serve(Config.DEFAULT.withTls(ServingCertificate.load(certificate, key)));
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        int answered;
        try (Socket raw = recording(received);
                SSLSocket socket = (SSLSocket)
                        made.trusting().getSocketFactory().createSocket(raw, "127.0.0.1", httpServer.port(), true)) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
            InputStream in = socket.getInputStream();
            while (in.read() != 'k') {
                // Read to the end of the response, which is "ok".
            }
            answered = received.size();

            httpServer.close();

            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(received.size()).as("bytes, with those of an alert").isGreaterThan(answered);
    }

    /** Returns a connection to the HTTP front end that records the received bytes. */
    private Socket recording(OutputStream received) throws IOException {
        Socket socket = new Socket() {
            @Override
            public InputStream getInputStream() throws IOException {
                return new FilterInputStream(super.getInputStream()) {
                    @Override
                    public int read(byte[] into, int offset, int wanted) throws IOException {
                        int n = super.read(into, offset, wanted);
                        received.write(into, offset, Math.max(0, n));
                        return n;
                    }
                };
            }
        };
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), httpServer.port()));
        return socket;
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
    void key_inAnotherFormat_saysHowToConvertIt(String type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServingCertificate.load(certificate, key.replace("PRIVATE KEY", type)))
                .withMessageContaining("\"" + type + "\"")
                .withMessageContaining("openssl pkcs8 -topk8 -nocrypt");
    }

    @Test
    void filesThatHoldNothingOfUse_areRefusedWithoutShowingThem() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServingCertificate.load(new byte[0], key))
                .withMessage("the certificate file holds no certificate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServingCertificate.load("rubbish".getBytes(US_ASCII), key))
                .withMessageStartingWith("the certificate file cannot be read");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServingCertificate.load(certificate, "secret stuff"))
                .withMessage("the key file holds no private key in PEM");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ServingCertificate.load(certificate, TestCertificate.pem("PRIVATE KEY", new byte[] {1, 2, 3})))
                .withMessage("the key file holds no key of the certificate's kind, EC");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/d/pods/p,'',401",
        "/api/v1/namespaces/d/pods/p,Bearer one,200",
        "/api/v1/namespaces/d/pods/p,bearer two,200",
        "/api/v1/namespaces/d/pods/p,Bearer three,401",
        "/api/v1/namespaces/d/pods/p,Bearer on,401",
        "/api/v1/namespaces/d/pods/p,Basic b25l,401",
        "/api,'',401",
        "/apis/apps/v1,'',401",
        "/openapi/v3,'',401",
        "/nowhere,'',401",
        "/version,'',200",
        "/healthz,'',200",
        "/livez/ping,'',200",
        "/readyz,'',200",
        "/readyz,Bearer three,401",
    })
    void tokens_letInWhoHasOne_andShowOthersWhatUpstreamShows(String path, String authorization, int code)
            throws Exception {
        serve(Config.DEFAULT.withTokens(BearerTokens.of(Set.of("one", "two"))));
        HttpResponse<String> response = get(HttpClient.newHttpClient(), path, authorization);
        assertThat(response.statusCode()).isEqualTo(code);
        if (code == 401) {
            assertThat(JsonObject.parse(response.body())).isEqualTo(JsonObject.parse(UNAUTHORIZED));
        }
    }

    @Test
    void tokens_areNotShown_andEmptyOnesRefused() {
        Config config = Config.DEFAULT.withTokens(BearerTokens.of(Set.of("secret")));
        assertThat(config.toString()).doesNotContain("secret");
        assertThatIllegalArgumentException().isThrownBy(() -> BearerTokens.of(Set.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> BearerTokens.of(Set.of(" ")));
    }
}
