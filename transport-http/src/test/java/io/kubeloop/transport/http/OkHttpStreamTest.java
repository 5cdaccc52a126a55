/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static io.kubeloop.transport.http.RawServer.chunk;
import static io.kubeloop.transport.http.RawServer.chunkedHead;
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
import io.kubeloop.transport.http.call.HttpApiStream;
import io.kubeloop.transport.http.call.HttpCaller;
import io.kubeloop.transport.http.call.OpenCalls;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.Okio;
import okio.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches over plain HTTP/1.1. Long because every way in which a watch can end has a test. */
@Timeout(60)
class OkHttpStreamTest {

    private static final ApiRequest WATCH = ApiRequest.get("/api/v1/pods", Map.of("watch", "true"));
    private static final List<String> FRAMES = List.of(
            "{\"type\":\"ADDED\",\"object\":{\"n\":\"é}\\\"\"}}",
            "{\"type\":\"MODIFIED\",\"object\":[1,2]}",
            "{\"type\":\"DELETED\",\"object\":{}}");

    private static OkHttpTransport transport(RawServer server) {
        return OkHttpTransport.create(ClientConfig.of(server.url()));
    }

    private static ApiRequest within(Duration deadline) {
        return new ApiRequest("GET", "/api/v1/pods", Map.of("watch", "true"), ApiRequest.JSON, null, deadline);
    }

    private static List<String> readAll(ApiStream stream) {
        List<String> frames = new ArrayList<>();
        for (byte[] frame = stream.next(); frame != null; frame = stream.next()) {
            frames.add(new String(frame, UTF_8));
        }
        return frames;
    }

    /** Holds the connection open until the peer closes it. */
    private static void hold(Socket socket) throws Exception {
        while (socket.getInputStream().read() != -1) {
            // Waits for nothing in particular.
        }
    }

    @Test
    void next_oneByteChunks_yieldsEveryFrame() throws Exception {
        byte[] body = String.join("\n", FRAMES).getBytes(UTF_8);
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead());
                    for (byte b : body) {
                        socket.getOutputStream().write(new byte[] {'1', '\r', '\n', b, '\r', '\n'});
                        socket.getOutputStream().flush();
                    }
                    RawServer.write(socket, "0\r\n\r\n");
                });
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.code()).isEqualTo(200);
            assertThat(stream.headers()).containsEntry("content-type", List.of("application/json"));
            assertThat(readAll(stream)).isEqualTo(FRAMES);
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void next_error_freesTheConnection() {
        // Such as a frame that exceeds the memory. Only the reader can close the body then.
        AtomicBoolean closed = new AtomicBoolean();
        Source body = new Source() {
            @Override
            public long read(Buffer sink, long byteCount) {
                throw new OutOfMemoryError("a test");
            }

            @Override
            public okio.Timeout timeout() {
                return okio.Timeout.NONE;
            }

            @Override
            public void close() {
                closed.set(true);
            }
        };
        Request request = new Request.Builder().url("http://127.0.0.1/").build();
        Response response = new Response.Builder()
                .request(request)
                .protocol(Protocol.HTTP_1_1)
                .code(200)
                .message("OK")
                .body(ResponseBody.create(Okio.buffer(body), null, -1))
                .build();
        Call call = new OkHttpClient().newCall(request);
        ApiStream stream = HttpApiStream.of(new HttpCaller.Answer(call, response, "GET /", new OpenCalls()), 1000);

        assertThatThrownBy(stream::next).isInstanceOf(OutOfMemoryError.class);

        assertThat(closed).isTrue();
        assertThat(call.isCanceled()).isTrue();
        assertThat(stream.next()).isNull();
        stream.close();
    }

    @Test
    void next_frameThatIsComplete_isNotHeldBackForTheNextOne() throws Exception {
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead() + chunk(FRAMES.get(0)));
                    hold(socket);
                });
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo(FRAMES.get(0));
        }
    }

    @Test
    void next_connectionCutAtEveryByte_neverYieldsHalfAFrame() throws Exception {
        // SW-01
        String body = chunk(FRAMES.get(0) + "\n") + chunk(FRAMES.get(1) + "\n") + "0\r\n\r\n";
        byte[] bytes = body.getBytes(UTF_8);
        List<String> expected = FRAMES.subList(0, 2);
        for (int length = 0; length <= bytes.length; length++) {
            int cut = length;
            try (RawServer server = new RawServer((socket, line) -> {
                        RawServer.write(socket, chunkedHead());
                        socket.getOutputStream().write(bytes, 0, cut);
                    });
                    OkHttpTransport transport = transport(server);
                    ApiStream stream = transport.stream(WATCH)) {
                List<String> frames = new ArrayList<>();
                TransportException failure = null;
                try {
                    for (byte[] frame = stream.next(); frame != null; frame = stream.next()) {
                        frames.add(new String(frame, UTF_8));
                    }
                } catch (TransportException e) {
                    failure = e;
                }
                assertThat(frames).as("cut at %d", cut).isEqualTo(expected.subList(0, frames.size()));
                if (cut == bytes.length) {
                    assertThat(failure).isNull();
                } else if (failure != null) {
                    assertThat(failure.kind()).isIn(Kind.UNEXPECTED_EOF, Kind.BROKEN);
                } else {
                    // Only the last line break of the end marker may be missing without an error.
                    assertThat(cut).isGreaterThanOrEqualTo(bytes.length - 2);
                }
                assertThat(stream.next()).isNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'',BROKEN",
        "'{',UNEXPECTED_EOF",
        "'{}\n',BROKEN",
        "'{}{',UNEXPECTED_EOF",
        "'{\"a\":\"é',UNEXPECTED_EOF"
    })
    void next_connectionCutWithoutTheEndMarker_tellsWhetherAFrameIsMissing(String sent, Kind kind) throws Exception {
        try (RawServer server = new RawServer((socket, line) ->
                        RawServer.write(socket, chunkedHead() + (sent.isEmpty() ? "" : chunk(sent))));
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(catchThrowableOfType(TransportException.class, () -> readAll(stream))
                            .kind())
                    .isEqualTo(kind);
        }
    }

    @Test
    void next_endInsideAFrame_isUnexpectedEof() throws Exception {
        // SW-01
        try (RawServer server = new RawServer((socket, line) ->
                        RawServer.write(socket, chunkedHead() + chunk("{\"type\":\"ADDED\",") + "0\r\n\r\n"));
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(WATCH)) {
            TransportException failure = catchThrowableOfType(TransportException.class, stream::next);

            assertThat(failure.kind()).isEqualTo(Kind.UNEXPECTED_EOF);
            assertThat(failure)
                    .hasMessageContaining("GET /api/v1/pods at " + server.url())
                    .hasMessageContaining("16 bytes");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void next_silentServer_endsByTheRequestsDeadline() throws Exception {
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead() + chunk(FRAMES.get(0)));
                    hold(socket);
                });
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(within(Duration.ofSeconds(3)))) {
            assertThat(stream.next()).isNotNull();
            TransportException failure = catchThrowableOfType(TransportException.class, stream::next);

            assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void stream_serverThatNeverAnswers_endsByTheRequestsDeadline() throws Exception {
        try (RawServer server = new RawServer((socket, line) -> hold(socket));
                OkHttpTransport transport = transport(server)) {
            TransportException failure = catchThrowableOfType(
                    TransportException.class, () -> transport.stream(within(Duration.ofSeconds(3))));

            assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void next_quietLongerThanTheReadTimeout_goesOn() throws Exception {
        // RX-10
        CountDownLatch goOn = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead());
                    goOn.await();
                    RawServer.write(socket, chunk(FRAMES.get(0)) + "0\r\n\r\n");
                });
                OkHttpTransport transport = OkHttpTransport.create(ClientConfigBuilder.builder()
                        .server(server.url())
                        .timeouts(new Timeouts(
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(3),
                                Duration.ZERO,
                                Duration.ofMinutes(1)))
                        .build());
                ApiStream stream = transport.stream(WATCH)) {
            CompletableFuture<List<String>> frames = CompletableFuture.supplyAsync(() -> readAll(stream));
            await().pollDelay(Duration.ofMillis(3500)).until(() -> !frames.isDone());
            goOn.countDown();

            assertThat(frames.get()).containsExactly(FRAMES.get(0));
        }
    }

    @Test
    void close_fromAnotherThread_endsABlockedReadAtOnceAndInOrder() throws Exception {
        // SW-01
        CountDownLatch gone = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead() + chunk(FRAMES.get(0)) + chunk("{\"half"));
                    try {
                        hold(socket);
                    } finally {
                        gone.countDown();
                    }
                });
                OkHttpTransport transport = transport(server)) {
            ApiStream stream = transport.stream(WATCH);
            CompletableFuture<byte[]> second = new CompletableFuture<>();
            Thread reader = new Thread(() -> {
                stream.next();
                try {
                    second.complete(stream.next());
                } catch (RuntimeException e) {
                    second.completeExceptionally(e);
                }
            });
            reader.start();
            await().until(() -> isBlockedInRead(reader));

            stream.close();
            stream.close();

            assertThat(second.get(20, TimeUnit.SECONDS)).isNull();
            assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
            reader.join();
        }
    }

    private static boolean isBlockedInRead(Thread thread) {
        int inNext = 0;
        boolean inSocket = false;
        for (StackTraceElement frame : thread.getStackTrace()) {
            inSocket |= frame.getClassName().startsWith("sun.nio.ch")
                    || frame.getMethodName().contains("socketRead");
            inNext += frame.getMethodName().equals("scan") ? 1 : 0;
        }
        return inSocket && inNext == 0;
    }

    @Test
    void close_ofTheTransport_endsEveryStreamAndFreesEveryConnection() throws Exception {
        int count = 5;
        CountDownLatch gone = new CountDownLatch(count + 1);
        try (RawServer server = new RawServer((socket, line) -> {
            RawServer.write(socket, line.contains("watch") ? chunkedHead() : RawServer.answer("{}"));
            try {
                hold(socket);
            } finally {
                gone.countDown();
            }
        })) {
            OkHttpTransport transport = transport(server);
            List<CompletableFuture<byte[]>> ends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ApiStream stream = transport.stream(WATCH);
                ends.add(CompletableFuture.supplyAsync(stream::next, task -> new Thread(task, "watch").start()));
            }
            try (ApiResponse response = transport.execute(ApiRequest.get("/api", Map.of()))) {
                response.body().readAllBytes();
            }

            transport.close();

            for (CompletableFuture<byte[]> end : ends) {
                assertThat(end.get(20, TimeUnit.SECONDS)).isNull();
            }
            // I12: the server receives the end of every connection, also of the idle one.
            assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void close_ofTheTransport_freesConnectionsOfStreamsThatNobodyReads() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
            RawServer.write(socket, chunkedHead());
            try {
                hold(socket);
            } finally {
                gone.countDown();
            }
        })) {
            OkHttpTransport transport = transport(server);
            ApiStream stream = transport.stream(WATCH);

            transport.close();

            assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void next_connectionReset_isBroken() throws Exception {
        // SW-01
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead() + chunk(FRAMES.get(0)));
                    socket.setSoLinger(true, 0);
                });
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(WATCH)) {
            Kind kind = null;
            try {
                readAll(stream);
            } catch (TransportException e) {
                kind = e.kind();
            }
            assertThat(kind).isEqualTo(Kind.BROKEN);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 409, 410, 422, 429, 500, 503})
    void stream_refused_yieldsTheErrorAsItsOnlyFrame(int code) throws Exception {
        // RX-12, WR-03
        String status = "{\n \"kind\": \"Status\"\n}\n";
        try (RawServer server = new RawServer((socket, line) -> RawServer.write(
                        socket,
                        "HTTP/1.1 " + code + " No\r\nContent-Length: " + status.length() + "\r\n\r\n" + status));
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.code()).isEqualTo(code);
            assertThat(stream.next()).asString(UTF_8).isEqualTo(status);
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void next_garbage_isBroken() throws Exception {
        // SW-01
        try (RawServer server = new RawServer((socket, line) ->
                        RawServer.write(socket, RawServer.answer("<html>\u0007Login please</html>")));
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(WATCH)) {
            TransportException failure = catchThrowableOfType(TransportException.class, stream::next);

            assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
            assertThat(failure).hasMessageContaining("expected a JSON object, got \"<html> Login please");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Type: text/html, the response is text/html instead of JSON; is this an API server?",
        "Content-Encoding: gzip, the response has the unrequested encoding gzip"
    })
    void stream_somethingElseThanJson_isRefusedBeforeItIsRead(String header, String message) throws Exception {
        // WR-01, RR-03
        CountDownLatch gone = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, "HTTP/1.1 200 OK\r\n" + header + "\r\nTransfer-Encoding: chunked\r\n\r\n");
                    try {
                        hold(socket);
                    } finally {
                        gone.countDown();
                    }
                });
                OkHttpTransport transport = transport(server)) {
            TransportException failure = catchThrowableOfType(TransportException.class, () -> transport.stream(WATCH));

            assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
            assertThat(failure).hasMessageContaining(message);
            assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void next_frameOfSixtyMegabytes_passesByDefault() throws Exception {
        int size = 60 << 20;
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead() + chunk("{\"a\":\""));
                    String piece = chunk("x".repeat(1 << 20));
                    for (int i = 0; i < 60; i++) {
                        RawServer.write(socket, piece);
                    }
                    RawServer.write(socket, chunk("\"}") + "0\r\n\r\n");
                });
                OkHttpTransport transport = transport(server);
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.next()).hasSize(size + 8);
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void next_hugeFrame_isRefusedAndTheConnectionDropped() throws Exception {
        // SW-02
        CountDownLatch gone = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead() + chunk("{\"a\":\""));
                    try {
                        while (true) {
                            RawServer.write(socket, chunk("x".repeat(1000)));
                        }
                    } finally {
                        gone.countDown();
                    }
                });
                OkHttpTransport transport = OkHttpTransport.builder(ClientConfig.of(server.url()))
                        .maxFrameBytes(100_000)
                        .build();
                ApiStream stream = transport.stream(WATCH)) {
            TransportException failure = catchThrowableOfType(TransportException.class, stream::next);

            assertThat(failure.kind()).isEqualTo(Kind.TOO_LARGE);
            assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void next_refusalWithoutABound_isGivenOut() throws Exception {
        try (RawServer server = new RawServer((socket, line) -> RawServer.write(
                        socket, RawServer.answer("{\"code\":403}").replace("200 OK", "403 Forbidden")));
                OkHttpTransport transport = OkHttpTransport.builder(ClientConfig.of(server.url()))
                        .maxFrameBytes(Long.MAX_VALUE)
                        .build();
                ApiStream stream = transport.stream(WATCH)) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo("{\"code\":403}");
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void stream_twoHundredAtOnce_allOpenAndWritesStillPass() throws Exception {
        // users #4: OkHttp's own limit of five calls per host applies only to queued calls; these are not queued.
        int count = 200;
        CountDownLatch allOpen = new CountDownLatch(count);
        try (RawServer server = new RawServer((socket, line) -> {
                    if (line.startsWith("POST")) {
                        String answer = RawServer.answer("{}");
                        RawServer.write(socket, answer.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
                        return;
                    }
                    RawServer.write(socket, chunkedHead());
                    allOpen.countDown();
                    allOpen.await();
                    RawServer.write(socket, chunk(FRAMES.get(0)));
                    hold(socket);
                });
                OkHttpTransport transport = transport(server)) {
            List<CompletableFuture<byte[]>> first = new ArrayList<>();
            List<ApiStream> streams = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ApiStream stream = transport.stream(WATCH);
                streams.add(stream);
                first.add(CompletableFuture.supplyAsync(stream::next, task -> new Thread(task, "watch").start()));
            }
            for (CompletableFuture<byte[]> frame : first) {
                assertThat(frame.get(10, TimeUnit.SECONDS)).asString(UTF_8).isEqualTo(FRAMES.get(0));
            }
            for (int i = 0; i < 20; i++) {
                try (ApiResponse response = transport.execute(
                        ApiRequest.of("POST", "/api/v1/pods", Map.of(), ApiRequest.Body.json("{}".getBytes(UTF_8))))) {
                    assertThat(response.code()).isEqualTo(200);
                }
            }
            streams.forEach(ApiStream::close);
        }
    }
}
