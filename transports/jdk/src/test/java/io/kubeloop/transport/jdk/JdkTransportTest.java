/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.jdk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.LimitedBody;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.testing.ClosedPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Cases outside of the contract: faulty peers, and resources that remain after close. */
@Timeout(60)
@Isolated("looks at all threads")
class JdkTransportTest {

    private static final ApiRequest WATCH = ApiRequest.get("/api/v1/pods", Map.of("watch", "true"));

    /** A deadline that is long enough for the steps before it. */
    private static final ApiRequest WITHIN_SECONDS =
            new ApiRequest("GET", "/api", Map.of(), ApiRequest.JSON, null, Duration.ofSeconds(3));

    private static final String CHUNKED = """
            HTTP/1.1 200 OK
            Content-Type: application/json
            Transfer-Encoding: chunked

            """;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final String FRAME = "{\"type\":\"ADDED\",\"object\":{\"a\":[\"}\\\"{\",\"ü\"]}}";

    private ServerSocket listener;
    private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();
    private Transport transport;

    @BeforeEach
    void start() throws IOException {
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        transport = JdkTransport.create(
                uri("http"), HttpClient.newBuilder(), request -> request.header("Authorization", "Bearer t"));
    }

    @AfterEach
    void stop() throws IOException {
        transport.close();
        listener.close();
    }

    @Test
    void request_carriesWhatTheHookAdds() throws Exception {
        serve("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        try (ApiResponse response = transport.execute(new ApiRequest(
                "PATCH",
                "/api/v1/pods",
                Map.of("a b", "c&d"),
                ApiRequest.JSON,
                new ApiRequest.Body("application/merge-patch+json", "{}".getBytes(UTF_8)),
                null))) {
            assertThat(response.body()).isInstanceOf(LimitedBody.class);
            assertThat(response.body().readAllBytes()).asString().isEqualTo("{}");
        }
        assertThat(heads.take())
                .startsWith("PATCH /api/v1/pods?a%20b=c%26d HTTP/1.1\r\n")
                .contains("Authorization: Bearer t\r\n", "Content-Type: application/merge-patch+json\r\n");
    }

    @Test
    void stream_cutAtAnyByte_givesWholeFramesAndThenAnError() {
        byte[] frames = (FRAME + "\n" + FRAME).getBytes(UTF_8);
        for (int cut = 0; cut <= frames.length; cut++) {
            String part = new String(frames, 0, cut, ISO_8859_1);
            CountDownLatch close = serveAndCloseWhenTold(
                    CHUNKED + (cut == 0 ? "" : Integer.toHexString(cut) + "\r\n" + part + "\r\n"));
            try (ApiStream stream = transport.stream(WATCH)) {
                close.countDown();
                int first = FRAME.getBytes(UTF_8).length;
                int whole = cut >= frames.length ? 2 : cut >= first ? 1 : 0;
                for (int i = 0; i < whole; i++) {
                    assertThat(stream.next()).asString(UTF_8).isEqualTo(FRAME);
                }
                boolean between = cut == 0 || cut == first || cut == first + 1 || cut == frames.length;
                assertKind(between ? Kind.BROKEN : Kind.UNEXPECTED_EOF, stream::next);
            }
        }
    }

    @Test
    void stream_garbage_isRefused() {
        serve(CHUNKED + "5\r\n<html\r\n0\r\n\r\n");
        try (ApiStream stream = transport.stream(WATCH)) {
            assertKind(Kind.BROKEN, stream::next);
        }
    }

    @Test
    void stream_refusal_isTheOnlyFrameAndEndsTheCall() {
        serve("HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nno!\n");
        try (ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.code()).isEqualTo(403);
            assertThat(stream.next()).asString(UTF_8).isEqualTo("no!\n");
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void execute_bodyThatStalls_endsByTheDeadline() {
        serveAndHold("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
        try (ApiResponse response = transport.execute(WITHIN_SECONDS)) {
            assertKind(Kind.TIMEOUT, () -> response.body().readAllBytes());
        }
    }

    @Test
    void execute_noAnswer_endsByTheDeadline() {
        serveAndHold("");
        assertKind(Kind.TIMEOUT, () -> transport.execute(WITHIN_SECONDS));
    }

    @Test
    void execute_bodyIsCutShort_isBrokenAndNoShortDocument() {
        CountDownLatch close = serveAndCloseWhenTold("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
        try (ApiResponse response = transport.execute(ApiRequest.get("/api", Map.of()))) {
            close.countDown();
            assertKind(Kind.BROKEN, () -> response.body().readAllBytes());
        }
    }

    @Test
    void execute_nobodyListens_isNotConnected() throws IOException {
        try (ClosedPort port = new ClosedPort()) {
            URI nobody = URI.create("http://127.0.0.1:" + port.number());
            try (Transport toNobody = JdkTransport.create(nobody, HttpClient.newBuilder(), request -> {})) {
                assertKind(Kind.CONNECT, () -> toNobody.execute(ApiRequest.get("/api", Map.of())));
            }
        }
    }

    /** In one of a thousand runs, the JDK's client never reports the failed handshake; the connect timeout ends it. */
    @Test
    void execute_peerSpeaksNoTls_saysSo() {
        serve("HTTP/1.1 400 Bad Request\r\n\r\n");
        HttpClient.Builder http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10));
        try (Transport tls = JdkTransport.create(uri("https"), http, request -> {})) {
            assertThatExceptionOfType(TransportException.class)
                    .isThrownBy(() -> tls.execute(ApiRequest.get("/api", Map.of())))
                    .withMessageStartingWith("GET /api at " + uri("https"));
        }
    }

    @Test
    void execute_callerIsInterrupted_endsAtOnceAndStaysInterrupted() throws Exception {
        serveAndHold("");
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                transport.execute(ApiRequest.get("/api", Map.of()));
            } catch (TransportException e) {
                interrupted.complete(
                        e.kind() == Kind.CLOSED && Thread.currentThread().isInterrupted());
            }
        });
        caller.start();
        heads.take();
        caller.interrupt();
        assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void close_leavesNoThreadAndNoConnection() throws Exception {
        CountDownLatch peerSawTheEnd = serveAndHold(CHUNKED);
        ApiStream stream = transport.stream(WATCH);

        transport.close();

        assertThat(stream.next()).isNull();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getThreadGroup)
                // Null for a thread that has ended.
                .filteredOn(group -> group != null && group.getName().startsWith("kubeloop-jdk-transport-"))
                .isEmpty();
        assertThat(peerSawTheEnd.await(20, TimeUnit.SECONDS)).isTrue();
        assertKind(Kind.CLOSED, () -> transport.stream(WATCH));
    }

    @Test
    void close_whileARequestIsMade_closesIt() {
        AtomicReference<Transport> toClose = new AtomicReference<>();
        try (Transport closing = JdkTransport.create(
                uri("http"), HttpClient.newBuilder(), request -> toClose.get().close())) {
            toClose.set(closing);
            assertKind(Kind.CLOSED, () -> closing.execute(ApiRequest.get("/api", Map.of())));
        }
    }

    private URI uri(String scheme) {
        return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort());
    }

    private static void assertKind(Kind kind, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
    }

    /** Responds to the next connection with these bytes, and closes it. */
    private void serve(String answer) {
        peer(answer, socket -> {});
    }

    /**
     * Responds to the next connection with these bytes, and closes it when the latch opens. If the end arrives with the
     * headers, the JDK's client sometimes reports no response at all.
     */
    private CountDownLatch serveAndCloseWhenTold(String answer) {
        CountDownLatch close = new CountDownLatch(1);
        peer(answer, socket -> assertThat(close.await(30, TimeUnit.SECONDS)).isTrue());
        return close;
    }

    /**
     * Responds to the next connection with these bytes and keeps it open; the latch opens when the client has closed
     * it.
     */
    private CountDownLatch serveAndHold(String answer) {
        return peer(answer, socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
    }

    /** Runs before a peer closes its connection. */
    @FunctionalInterface
    private interface Hold {
        void on(Socket socket) throws IOException, InterruptedException;
    }

    private CountDownLatch peer(String answer, Hold hold) {
        CountDownLatch ended = new CountDownLatch(1);
        Thread server = new Thread(() -> {
            try (Socket socket = listener.accept()) {
                InputStream in = socket.getInputStream();
                StringBuilder head = new StringBuilder();
                int b = 0;
                while (b >= 0 && b != TLS_HANDSHAKE && head.indexOf("\r\n\r\n") < 0) {
                    b = in.read();
                    head.append((char) b);
                }
                heads.add(head.toString());
                OutputStream out = socket.getOutputStream();
                out.write(answer.getBytes(ISO_8859_1));
                out.flush();
                hold.on(socket);
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(?i).*(reset|closed|broken pipe).*");
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts the server", e);
            }
            ended.countDown();
        });
        server.setDaemon(true);
        server.start();
        return ended;
    }
}
