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
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams and connections that an HTTP/2 server ends (RX-04, RX-06; users #30). */
@Timeout(60)
class Http2FaultsTest {

    private static final int NO_ERROR = 0;
    private static final int INTERNAL_ERROR = 2;
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;

    private final MockWebServer server = new MockWebServer();
    private final HeldCertificate certificate = LoopbackTls.certificate();
    private final List<Long> pauses = new CopyOnWriteArrayList<>();
    private OkHttpTransport transport;

    @BeforeEach
    void start() throws Exception {
        server.useHttps(LoopbackTls.serving(certificate));
        server.start();
        transport = OkHttpTransport.builder(LoopbackTls.configOf(server, certificate))
                .scheduler(new InstantScheduler(duration -> pauses.add(duration.toMillis())))
                .build();
    }

    @AfterEach
    void stop() {
        transport.close();
        server.close();
    }

    private void reset(int code) {
        server.enqueue(new MockResponse.Builder()
                .onResponseStart(new SocketEffect.CloseStream(code))
                .build());
    }

    private void answer(String body) {
        server.enqueue(new MockResponse.Builder().body(body).build());
    }

    private static ApiRequest request(String method) {
        return ApiRequest.of(
                method, "/api", Map.of(), method.equals("GET") ? null : ApiRequest.Body.json("{}".getBytes(UTF_8)));
    }

    private String call(String method) throws IOException {
        try (ApiResponse response = transport.execute(request(method))) {
            return new String(response.body().readAllBytes(), UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE"})
    void execute_refusedStream_isSentAgainWhateverItIs(String method) throws Exception {
        // The server reports that it did not process the request.
        answer("warm");
        reset(REFUSED_STREAM);
        answer("ok");
        assertThat(call("GET")).isEqualTo("warm");

        assertThat(call(method)).isEqualTo("ok");
    }

    @Test
    void execute_refusedForEver_givesUp() {
        for (int i = 0; i < 40; i++) {
            reset(REFUSED_STREAM);
        }

        TransportException failure =
                catchThrowableOfType(TransportException.class, () -> transport.execute(request("POST")));

        assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
        assertThat(failure).hasMessageContaining("REFUSED_STREAM");
        assertThat(pauses).containsExactly(50L, 100L, 200L, 400L, 800L);
        // OkHttp itself occasionally sends a request again.
        assertThat(server.getRequestCount()).isBetween(7, 14);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE"})
    void execute_refusedOnSeveralConnectionsInARow_isSentUntilItIsTaken(String method) throws Exception {
        // With --goaway-chance, kube-apiserver excludes the pending requests of a connection, and possibly those of the
        // next one.
        for (int i = 0; i < 6; i++) {
            reset(REFUSED_STREAM);
        }
        answer("ok");

        assertThat(call(method)).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void execute_refusedStreams_costOneTurnOfTheRateLimit_andAskEachTimeWhetherToWrite(String method) throws Exception {
        // RX-01: each attempt that the server processed takes a token.
        AtomicInteger asked = new AtomicInteger();
        try (OkHttpTransport limited = OkHttpTransport.builder(
                        LoopbackTls.configOf(server, certificate).withRateLimit(0.001, 1))
                .scheduler(new InstantScheduler(duration -> pauses.add(duration.toMillis())))
                .mayWrite(() -> {
                    asked.incrementAndGet();
                    return true;
                })
                .build()) {
            for (int i = 0; i < 20; i++) {
                reset(REFUSED_STREAM);
            }

            assertThatThrownBy(() -> limited.execute(request(method))).hasMessageContaining("REFUSED_STREAM");

            assertThat(pauses).containsExactly(50L, 100L, 200L, 400L, 800L);
            assertThat(asked.get()).isGreaterThanOrEqualTo(method.equals("GET") ? 0 : 7);
        }
    }

    @ParameterizedTest
    @CsvSource({INTERNAL_ERROR + ",GET", CANCEL + ",GET"})
    void execute_getOnAResetStream_isSentAgain(int code, String method) throws Exception {
        reset(code);
        answer("ok");

        assertThat(call(method)).isEqualTo("ok");
    }

    @ParameterizedTest
    @CsvSource({
        INTERNAL_ERROR + ",POST",
        CANCEL + ",POST",
        INTERNAL_ERROR + ",PUT",
        INTERNAL_ERROR + ",PATCH",
        INTERNAL_ERROR + ",DELETE",
        NO_ERROR + ",POST"
    })
    void execute_writeOnAResetStream_isNeverSentAgain(int code, String method) throws Exception {
        answer("warm");
        reset(code);
        answer("must not be reached");
        call("GET");

        TransportException failure =
                catchThrowableOfType(TransportException.class, () -> transport.execute(request(method)));

        assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
        assertThat(server.getRequestCount()).isEqualTo(2);
    }

    @Test
    void execute_goAwayAfterAnAnswer_goesToAFreshConnection() throws Exception {
        // RX-06
        server.enqueue(new MockResponse.Builder()
                .body("last")
                .onResponseEnd(SocketEffect.ShutdownConnection.INSTANCE)
                .build());
        assertThat(call("GET")).isEqualTo("last");
        assertThat(server.takeRequest().getConnectionIndex()).isZero();

        // The frame follows the response: the client may send a request or two before it reads the frame, and none may
        // fail.
        await().until(() -> {
            answer("ok");
            assertThat(call("POST")).isEqualTo("ok");
            return server.takeRequest().getConnectionIndex() == 1;
        });
    }

    @Test
    void stream_resetBeforeItsHeaders_isOpenedAgain() {
        // WR-02
        reset(INTERNAL_ERROR);
        answer("{\"a\":1}");

        try (ApiStream stream = transport.stream(request("GET"))) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo("{\"a\":1}");
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void next_resetInTheMiddle_isBroken() {
        server.enqueue(new MockResponse.Builder()
                .body("{\"a\":1}" + " ".repeat(100_000))
                .onResponseBody(new SocketEffect.CloseStream(INTERNAL_ERROR))
                .build());

        try (ApiStream stream = transport.stream(request("GET"))) {
            TransportException failure = catchThrowableOfType(TransportException.class, () -> {
                while (stream.next() != null) {
                    // Complete frames may arrive before the end.
                }
            });
            assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
        }
    }
}
