/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.testing.LoopbackServer;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Proxies of every kind, from the configuration and from the environment (CC-25, TP-01, TP-14). */
@Timeout(60)
class ProxyTest {

    private static final ApiRequest GET = ApiRequest.get("/api", Map.of());

    private final HeldCertificate authority =
            new HeldCertificate.Builder().certificateAuthority(0).build();
    private final MockWebServer server = new MockWebServer();

    @BeforeEach
    void start() throws Exception {
        server.useHttps(tls("api.example.invalid", "10.1.2.3").sslSocketFactory());
        server.enqueue(new MockResponse.Builder().body("{}").build());
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HandshakeCertificates tls(String... names) {
        HeldCertificate.Builder certificate = new HeldCertificate.Builder().signedBy(authority);
        for (String name : names) {
            certificate.addSubjectAlternativeName(name);
        }
        return new HandshakeCertificates.Builder()
                .heldCertificate(certificate.build())
                .build();
    }

    private ServerSocketFactory overTls(String name) {
        return tls(name).sslContext().getServerSocketFactory();
    }

    private OkHttpTransport transport(String serverUrl, String proxyUrl, Map<String, String> environment) {
        return OkHttpTransport.builder(ClientConfigBuilder.builder()
                        .server(serverUrl)
                        .proxyUrl(proxyUrl)
                        .tls(TlsConfigBuilder.builder()
                                .caData(authority.certificatePem())
                                .build())
                        .auth(AuthConfig.bearer("api-token"))
                        .build())
                .environment(environment)
                .build();
    }

    private static void call(OkHttpTransport transport) throws Exception {
        try (transport;
                ApiResponse response = transport.execute(GET)) {
            assertThat(new String(response.body().readAllBytes(), UTF_8)).isEqualTo("{}");
        }
    }

    private static TransportException failure(OkHttpTransport transport) {
        try (transport) {
            return catchThrowableOfType(
                    TransportException.class, () -> transport.execute(GET).close());
        }
    }

    @Test
    void execute_httpProxy_tunnelsWithoutShowingItTheToken() throws Exception {
        try (TestProxy proxy = TestProxy.connect(ServerSocketFactory.getDefault(), server.getPort())) {
            call(transport("https://api.example.invalid:6443", "http://127.0.0.1:" + proxy.port(), Map.of()));

            assertThat(proxy.seen()).containsExactly("CONNECT api.example.invalid:6443");
            assertThat(server.takeRequest().getHeaders().get("Authorization")).isEqualTo("Bearer api-token");
        }
    }

    @Test
    void execute_proxyOverTls_tunnelsTlsInTls() throws Exception {
        try (TestProxy proxy = TestProxy.connect(overTls("localhost"), server.getPort())) {
            call(transport("https://api.example.invalid", "https://localhost:" + proxy.port(), Map.of()));

            assertThat(proxy.seen()).containsExactly("CONNECT api.example.invalid:443");
            assertThat(server.takeRequest().getVersion()).isEqualTo("HTTP/2");
        }
    }

    @Test
    void execute_proxyOverTlsWithAnotherName_isRefused() throws Exception {
        try (TestProxy proxy = TestProxy.connect(overTls("other.example"), server.getPort())) {
            TransportException failure =
                    failure(transport("https://api.example.invalid", "https://localhost:" + proxy.port(), Map.of()));

            assertThat(failure.kind()).isEqualTo(Kind.TLS);
            assertThat(failure).hasMessageContaining("through proxy https://localhost:" + proxy.port());
            assertThat(proxy.seen()).isEmpty();
        }
    }

    @Test
    void stream_proxyOverTls_isClosedAtOnce() throws Exception {
        try (TestProxy proxy = TestProxy.connect(overTls("localhost"), server.getPort());
                MockWebServer watched = new MockWebServer()) {
            watched.useHttps(tls("api.example.invalid").sslSocketFactory());
            watched.enqueue(new MockResponse.Builder()
                    .body("{\"a\":1}{\"b\":2}")
                    .throttleBody(7, 1, TimeUnit.HOURS)
                    .build());
            watched.start();
            try (TestProxy toWatched = TestProxy.connect(overTls("localhost"), watched.getPort());
                    OkHttpTransport transport = transport(
                            "https://api.example.invalid", "https://localhost:" + toWatched.port(), Map.of())) {
                ApiStream stream = transport.stream(GET);
                assertThat(stream.next()).isNotNull();
                Thread closer = new Thread(transport::close);
                closer.start();

                assertThat(stream.next()).isNull();
                closer.join();
            }
            assertThat(proxy.seen()).isEmpty();
        }
    }

    @Test
    void execute_socks5_handsTheNameOver() throws Exception {
        try (TestProxy proxy = TestProxy.socks(server.getPort(), "", 0)) {
            call(transport("https://api.example.invalid:6443", "socks5://127.0.0.1:" + proxy.port(), Map.of()));

            assertThat(proxy.seen()).containsExactly("api.example.invalid:6443");
        }
    }

    @Test
    void execute_socks5WithLoginAndAddress_logsIn() throws Exception {
        try (TestProxy proxy = TestProxy.socks(server.getPort(), "me:p@ss:w", 0)) {
            call(transport("https://10.1.2.3", "socks5://me:p%40ss:w@127.0.0.1:" + proxy.port(), Map.of()));

            assertThat(proxy.seen()).containsExactly("10.1.2.3:443");
        }
    }

    @Test
    void execute_socks5ThatRefuses_saysWhy() throws Exception {
        try (TestProxy proxy = TestProxy.socks(server.getPort(), "me:secret", 0);
                TestProxy unreachable = TestProxy.socks(server.getPort(), "", 4)) {
            String url = "127.0.0.1:" + proxy.port();
            TransportException wrong =
                    failure(transport("https://api.example.invalid", "socks5://me:wrong-secret@" + url, Map.of()));
            TransportException none = failure(transport("https://api.example.invalid", "socks5://" + url, Map.of()));
            TransportException host = failure(
                    transport("https://api.example.invalid", "socks5://127.0.0.1:" + unreachable.port(), Map.of()));

            assertThat(List.of(wrong.kind(), none.kind(), host.kind())).containsOnly(Kind.CONNECT);
            assertThat(wrong)
                    .hasMessageEndingWith(
                            "cannot connect: proxy socks5://" + url + " refused the user name or password");
            assertThat(none).hasMessageContaining("requires a user name and password");
            assertThat(host).hasMessageContaining("cannot connect to api.example.invalid: host unreachable");
        }
    }

    @Test
    void execute_socks5ThatIsSomethingElse_saysSo() throws Exception {
        try (LoopbackServer web = new LoopbackServer(socket -> {
            LoopbackServer.write(socket, "HTTP/1.1 400 Bad Request\r\n\r\n");
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        })) {
            String url = web.url("socks5");

            TransportException failure = failure(transport("https://api.example.invalid", url, Map.of()));

            assertThat(failure.kind()).isEqualTo(Kind.CONNECT);
            assertThat(failure).hasMessageEndingWith("cannot connect: proxy " + url + " is not a SOCKS5 proxy");
        }
    }

    @Test
    void execute_environment_choosesTheProxy() throws Exception {
        try (TestProxy proxy = TestProxy.connect(ServerSocketFactory.getDefault(), server.getPort())) {
            String url = "127.0.0.1:" + proxy.port();
            call(transport("https://api.example.invalid", "", Map.of("HTTPS_PROXY", "http://me:secret@" + url)));
            assertThat(proxy.seen())
                    .containsExactly("CONNECT api.example.invalid:443", "Proxy-Authorization: Basic bWU6c2VjcmV0");

            TransportException direct = failure(transport(
                    "https://api.example.invalid", "", Map.of("HTTPS_PROXY", url, "NO_PROXY", ".example.invalid")));
            assertThat(direct).hasMessageContaining("unknown host api.example.invalid");
            assertThat(direct).hasMessageNotContaining("proxy");
        }
    }

    @Test
    void execute_loopbackServer_neverGoesThroughTheEnvironmentsProxy() throws Exception {
        try (MockWebServer local = new MockWebServer()) {
            local.enqueue(new MockResponse.Builder().body("{}").build());
            local.start();

            call(OkHttpTransport.builder(ClientConfig.of("http://127.0.0.1:" + local.getPort()))
                    .environment(Map.of("HTTP_PROXY", "http://127.0.0.1:1"))
                    .build());
        }
    }

    @Test
    void create_environmentWithNonsense_namesTheVariable() {
        assertThatThrownBy(() -> transport("https://api.example", "", Map.of("HTTPS_PROXY", "ftp://u:secret@p")))
                .hasMessage("HTTPS_PROXY ftp://p cannot be used: the scheme must be http, https or socks5");
        assertThatThrownBy(() -> transport("https://api.example", "", Map.of("https_proxy", "http://u:secret@ p")))
                .hasMessage("HTTPS_PROXY is not a URL");
    }
}
