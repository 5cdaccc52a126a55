/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static io.kubeloop.transport.http.RawServer.chunk;
import static io.kubeloop.transport.http.RawServer.chunkedHead;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The timeouts of a stream: until its headers, and between its bytes (TP-02; users #1, #29). */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class StreamTimeoutsTest {

    private static final ApiRequest WATCH = ApiRequest.get("/api/v1/pods", Map.of("watch", "true"));
    private static final Duration LONG = Duration.ofMinutes(5);

    /** A limit that a peer in this JVM meets, even if the JVM pauses for two seconds. */
    private static final Duration ENOUGH = Duration.ofSeconds(3);

    /** A pause that exceeds the limit. */
    private static final Duration BEYOND = ENOUGH.plusMillis(300);

    private static OkHttpTransport transport(String url, TlsConfig tls, Duration read, Duration idle) {
        return OkHttpTransport.create(ClientConfigBuilder.builder()
                .server(url)
                .tls(tls)
                .timeouts(new Timeouts(LONG, read, read, LONG, idle))
                .build());
    }

    private static void hold(Socket socket) throws Exception {
        while (socket.getInputStream().read() != -1) {
            // Waits for nothing in particular.
        }
    }

    @Test
    void stream_noHeaders_timesOutWithoutADeadlineOfItsOwn() throws Exception {
        try (RawServer server = new RawServer((socket, line) -> hold(socket));
                OkHttpTransport transport = transport(server.url(), TlsConfig.NONE, Duration.ofMillis(100), LONG)) {
            TransportException failure = catchThrowableOfType(TransportException.class, () -> transport.stream(WATCH));

            assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "api.example.invalid"})
    void execute_tlsHandshakeThatIsNotAnswered_timesOutAsConnectingDoes(String serverName) throws Exception {
        // TP-01. The backlog of the listener accepts the connection, and no thread reads from it.
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                OkHttpTransport transport = OkHttpTransport.create(ClientConfigBuilder.builder()
                        .server("https://127.0.0.1:" + silent.getLocalPort())
                        .tls(TlsConfigBuilder.builder().serverName(serverName).build())
                        .timeouts(new Timeouts(Duration.ofMillis(100), LONG, LONG, LONG, LONG))
                        .build())) {
            TransportException failure = catchThrowableOfType(
                    TransportException.class, () -> transport.execute(ApiRequest.get("/api", Map.of())));

            assertThat(failure.kind()).isEqualTo(Kind.CONNECT);
            assertThat(failure).hasMessageContaining("cannot connect: ");
        }
    }

    @Test
    void next_refusalWhoseBodyDoesNotCome_timesOutAsARequestWould() throws Exception {
        // Both at the same time, because each takes the full limit.
        FutureTask<Kind> http1 = new FutureTask<>(() -> endOfRefusalWithoutBody(false));
        new Thread(http1).start();

        assertThat(endOfRefusalWithoutBody(true)).isEqualTo(Kind.TIMEOUT);
        assertThat(http1.get()).isEqualTo(Kind.TIMEOUT);
    }

    private static Kind endOfRefusalWithoutBody(boolean http2) throws Exception {
        HeldCertificate certificate = LoopbackTls.certificate();
        try (MockWebServer server = new MockWebServer()) {
            if (http2) {
                server.useHttps(LoopbackTls.serving(certificate));
            }
            server.enqueue(new MockResponse.Builder()
                    .code(403)
                    .body("{}")
                    .bodyDelay(1, TimeUnit.HOURS)
                    .build());
            server.start();
            try (OkHttpTransport transport = transport(
                            (http2 ? "https" : "http") + "://127.0.0.1:" + server.getPort(),
                            http2 ? LoopbackTls.trusting(certificate) : TlsConfig.NONE,
                            ENOUGH,
                            LONG);
                    ApiStream stream = transport.stream(WATCH)) {
                assertThat(stream.code()).isEqualTo(403);
                return catchThrowableOfType(TransportException.class, stream::next)
                        .kind();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void next_http1PeerGoneSilent_timesOut(boolean tls) throws Exception {
        // The first frame arrives with the headers, so a pause of this JVM cannot count as silence.
        RawServer.Script script = (socket, line) -> {
            RawServer.write(socket, chunkedHead() + chunk("{\"a\":1}"));
            hold(socket);
        };
        HeldCertificate certificate = LoopbackTls.certificate();
        try (RawServer server = tls ? RawServer.overTls(certificate, script) : new RawServer(script);
                OkHttpTransport transport = transport(
                        server.url(),
                        tls ? LoopbackTls.trusting(certificate) : TlsConfig.NONE,
                        LONG,
                        Duration.ofMillis(200));
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo("{\"a\":1}");
            assertThat(catchThrowableOfType(TransportException.class, stream::next)
                            .kind())
                    .isEqualTo(Kind.TIMEOUT);
        }
    }

    @Test
    void next_http1SlowDrip_isNotSilence() throws Exception {
        // Each byte arrives in time; all of them together exceed the limit.
        byte[] frame = "{\"type\":\"ADDED\"}".getBytes(UTF_8);
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead());
                    CountDownLatch never = new CountDownLatch(1);
                    for (byte b : frame) {
                        socket.getOutputStream().write(new byte[] {'1', '\r', '\n', b, '\r', '\n'});
                        socket.getOutputStream().flush();
                        assertThat(never.await(BEYOND.toMillis() / (frame.length - 1), TimeUnit.MILLISECONDS))
                                .isFalse();
                    }
                    hold(socket);
                });
                OkHttpTransport transport = transport(server.url(), TlsConfig.NONE, LONG, ENOUGH);
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.next()).isEqualTo(frame);
        }
    }

    @Test
    void stream_http1QuietBeyondTheReadTimeout_goesOn() throws Exception {
        // Also on a connection that a request has used before, with the read timeout.
        CountDownLatch never = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead());
                    assertThat(never.await(BEYOND.toMillis(), TimeUnit.MILLISECONDS))
                            .isFalse();
                    RawServer.write(socket, chunk("{}") + "0\r\n\r\n");
                });
                OkHttpTransport transport = transport(server.url(), TlsConfig.NONE, ENOUGH, Duration.ZERO);
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo("{}");
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void next_http2QuietBeyondBothLimits_goesOn() throws Exception {
        HeldCertificate certificate = LoopbackTls.certificate();
        try (MockWebServer server = new MockWebServer()) {
            server.useHttps(LoopbackTls.serving(certificate));
            server.enqueue(new MockResponse.Builder()
                    .body("{\"a\":1}{\"b\":2}")
                    .throttleBody(7, BEYOND.toMillis(), TimeUnit.MILLISECONDS)
                    .build());
            server.start();
            try (OkHttpTransport transport = transport(
                            "https://127.0.0.1:" + server.getPort(),
                            LoopbackTls.trusting(certificate),
                            ENOUGH,
                            Duration.ofMillis(100));
                    ApiStream stream = transport.stream(WATCH)) {
                assertThat(stream.next()).asString(UTF_8).isEqualTo("{\"a\":1}");
                assertThat(stream.next()).asString(UTF_8).isEqualTo("{\"b\":2}");
            }
        }
    }
}
