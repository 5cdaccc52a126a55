/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.http.HttpLimits;
import io.kubeloop.apiserver.http.TestCertificate;
import io.kubeloop.apiserver.http.watch.OpenWatches;
import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.http.wire.ConnectionLimits;
import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.PemTls;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.testing.ClosedPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A front end that relays each request, and a backend that sends any bytes. */
@Timeout(60)
@SuppressWarnings("StringConcatToTextBlock") // a text block has no carriage returns
class BackendProxyTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final OwnedThreads threads = new OwnedThreads(OwnedThreads.virtualOrDaemon());
    private final OpenWatches open = new OpenWatches(threads, Duration.ofMillis(5));
    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();
    private final CountDownLatch backendEnded = new CountDownLatch(1);
    private ServerSocket backend;
    private HttpListener front;

    /** The backend's side of one connection, after the head of the request. */
    private interface Conversation {
        void hold(InputStream in, Socket socket) throws IOException;
    }

    @BeforeEach
    void listen() throws IOException {
        backend = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        backend.close();
        open.close();
        front.close();
        assertThat(threads.await(TIMEOUT)).isTrue();
    }

    private void start(Conversation conversation, BackendConnection.@Nullable Tls tls) throws IOException {
        threads.start("backend", () -> {
            try (Socket socket = backend.accept()) {
                InputStream in = socket.getInputStream();
                heads.add(head(in));
                conversation.hold(in, socket);
            } catch (IOException e) {
                heads.add("backend failed: " + e);
            } finally {
                backendEnded.countDown();
            }
        });
        serve(new BackendConnection.Server("127.0.0.1", backend.getLocalPort(), tls));
    }

    private void serve(BackendConnection.Server server) throws IOException {
        BackendProxy proxy = new BackendProxy(threads, open, TIMEOUT);
        Map<String, List<String>> headers = Map.of("X-Remote-User", List.of("jane"));
        HttpLimits limits = HttpLimits.DEFAULT;
        front = HttpListener.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                null,
                new ConnectionLimits(
                        100,
                        limits.maxHeaderBytes(),
                        limits.headerTimeout(),
                        limits.bodyTimeout(),
                        limits.idleTimeout(),
                        limits.writeTimeout()),
                exchange -> {
                    try {
                        proxy.relay(exchange, new BackendProxy.Destination(server, "/target?a=b", headers, TIMEOUT));
                    } catch (BackendException e) {
                        failures.add(String.valueOf(e.getMessage()));
                        exchange.reply(503);
                    }
                },
                threads);
        open.start(() -> {});
        front.start();
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("ended in the head: " + head);
            }
            head.append((char) b);
        }
        return head.toString();
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private Socket client(String request) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), front.address().getPort());
        socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
        send(socket, request);
        return socket;
    }

    private String call(String request) throws IOException {
        try (Socket socket = client(request)) {
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @Test
    void request_isRelayedWithoutCredentials_andWithoutHeadersOfTheConnection() throws Exception {
        start(
                (in, socket) -> {
                    heads.add(new String(in.readNBytes(4), ISO_8859_1));
                    send(
                            socket,
                            "HTTP/1.1 201 Made\r\nX-Answer: 1\r\nX-Answer: 2\r\nConnection: X-Mine\r\nX-Mine: 3\r\n"
                                    + "Content-Length: 5\r\n\r\nhello");
                },
                null);

        String answer = call("POST /any HTTP/1.1\r\nHost: front\r\nAuthorization: Bearer secret\r\nX-Kept: yes\r\n"
                + "X-Remote-User: root\r\nImpersonate-User: root\r\nX-Dropped: 1\r\nX-Forwarded-For: 10.0.0.1\r\n"
                + "Connection: close, X-Dropped\r\nContent-Length: 4\r\n\r\nbody");

        assertThat(heads.take().lines())
                .contains(
                        "POST /target?a=b HTTP/1.1",
                        "Host: 127.0.0.1:" + backend.getLocalPort(),
                        "X-Kept: yes",
                        "X-Remote-User: jane",
                        "X-Forwarded-For: 10.0.0.1, 127.0.0.1",
                        "Connection: close",
                        "Content-Length: 4")
                .noneMatch(line -> line.contains("secret") || line.contains("root") || line.contains("X-Dropped"));
        assertThat(heads.take()).isEqualTo("body");
        assertThat(answer)
                .startsWith("HTTP/1.1 201 Created\r\n")
                .contains("X-Answer: 1\r\nX-Answer: 2\r\n", "Content-Length: 5\r\n")
                .doesNotContain("X-Mine")
                .endsWith("\r\n\r\nhello");
    }

    @Test
    void chunkedBodies_streamInBothDirections() throws Exception {
        start(
                (in, socket) -> {
                    heads.add(new String(in.readNBytes("3\r\nabc\r\n0\r\n\r\n".length()), ISO_8859_1));
                    send(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n");
                    backendEnded.countDown(); // the client must receive the first part before the second is sent
                    heads.add("client: " + (char) in.read());
                },
                null);

        try (Socket client = client(
                "POST /any HTTP/1.1\r\nHost: front\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")) {
            assertThat(head(client.getInputStream())).contains("Transfer-Encoding: chunked");
            assertThat(new String(client.getInputStream().readNBytes(7), ISO_8859_1))
                    .isEqualTo("2\r\nde\r\n");
        }

        assertThat(heads.take()).contains("Transfer-Encoding: chunked");
        assertThat(heads.take()).isEqualTo("3\r\nabc\r\n0\r\n\r\n");
        assertThat(heads.take()).as("the client has left").isEqualTo("client: \uffff");
    }

    @Test
    void head_hasTheLengthAndNoBody() throws Exception {
        start((in, socket) -> send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n"), null);
        assertThat(call("HEAD / HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n"))
                .contains("Content-Length: 70\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void bodyUpToTheEndOfTheConnection_isSentInChunks() throws Exception {
        start((in, socket) -> send(socket, "HTTP/1.0 200 OK\r\n\r\nall"), null);
        assertThat(call("GET / HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\n3\r\nall\r\n0\r\n\r\n");
    }

    @Test
    void upgrade_becomesATunnel_untilEitherSideEnds() throws Exception {
        start(
                (in, socket) -> {
                    send(
                            socket,
                            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: "
                                    + "Upgrade\r\n\r\nfirst");
                    heads.add(new String(in.readNBytes(4), ISO_8859_1));
                    send(socket, "last");
                },
                null);

        try (Socket client =
                client("POST / HTTP/1.1\r\nHost: front\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n")) {
            assertThat(head(client.getInputStream())).contains("101 Switching Protocols\r\n", "Upgrade: SPDY/3.1\r\n");
            assertThat(new String(client.getInputStream().readNBytes(5), ISO_8859_1))
                    .isEqualTo("first");
            send(client, "ping");
            assertThat(new String(client.getInputStream().readAllBytes(), ISO_8859_1))
                    .isEqualTo("last");
        }

        assertThat(heads.take()).contains("Connection: Upgrade\r\n", "Upgrade: SPDY/3.1\r\n");
        assertThat(heads.take()).isEqualTo("ping");
    }

    @ParameterizedTest
    @CsvSource({
        "'', EOF",
        "'HTTP/2 200\r\n\r\n', malformed HTTP response: malformed status line",
        "'HTTP/1.1 200 OK\r\nA\r\n\r\n', malformed HTTP response: malformed header line",
        "'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', malformed HTTP response: malformed Content-Length",
        "'HTTP/1.1 101 OK\r\n\r\n', malformed HTTP response: an upgrade that was not requested",
    })
    void backendThatSendsNoHttp_isAFailure_andNoResponseHasBegun(String answer, String failure) throws Exception {
        start((in, socket) -> send(socket, answer), null);
        assertThat(call("GET / HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 503 ");
        assertThat(failures.take()).isEqualTo(failure);
    }

    @Test
    void endlessHead_isBounded() throws Exception {
        String line = "X-Header: " + "x".repeat(1000) + "\r\n";
        start(
                (in, socket) -> {
                    send(socket, "HTTP/1.1 200 OK\r\n");
                    for (int i = 0; i < 2000; i++) {
                        send(socket, line);
                    }
                },
                null);
        assertThat(call("GET / HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 503 ");
        assertThat(failures.take()).isEqualTo("malformed HTTP response: the request's headers are too large");
    }

    @Test
    void incompleteBody_reachesTheClientAsIncomplete() throws Exception {
        start((in, socket) -> send(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n"), null);
        assertThat(call("GET / HTTP/1.1\r\nHost: front\r\n\r\n")).endsWith("\r\n\r\n2\r\nde\r\n");
    }

    @Test
    void backendThatCannotBeReached_isAFailure() throws Exception {
        try (ClosedPort port = new ClosedPort()) {
            serve(new BackendConnection.Server("127.0.0.1", port.number(), null));
            assertThat(call("GET / HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 503 ");
            assertThat(failures.take())
                    .isEqualTo("dial tcp 127.0.0.1:" + port.number() + ": connect: connection refused");
        }
    }

    @Test
    void certificate_isVerifiedWithItsName(@TempDir Path dir) throws Exception {
        TestCertificate certificate = TestCertificate.make(dir, "dns:right.svc");
        backend.close();
        backend = certificate
                .serving()
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var context = PemTls.client(new javax.net.ssl.KeyManager[0], PemTls.trust(certificate.certificate()));
        start(
                (in, socket) -> send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
                new BackendConnection.Tls(context, "right.svc", true));
        assertThat(call("GET / HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n"))
                .endsWith("\r\n\r\nok");
        front.close();

        start((in, socket) -> {}, new BackendConnection.Tls(context, "wrong.svc", true));
        assertThat(call("GET / HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 503 ");
        assertThat(failures.take()).contains("failed to verify certificate");
    }
}
