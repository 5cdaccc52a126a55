/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Over HTTP/2, calls share a connection and its send buffer. An interrupted call must not end the others, and must
 * leave nothing in the buffer.
 */
@Timeout(60)
class Http2InterruptTest {

    private static final ApiRequest GET = ApiRequest.get("/api/v1/pods", Map.of());

    private final MockWebServer server = new MockWebServer();
    private OkHttpTransport transport;

    private interface Blocking {
        void run() throws Exception;
    }

    @BeforeEach
    void start() throws Exception {
        HeldCertificate certificate = LoopbackTls.certificate();
        server.useHttps(LoopbackTls.serving(certificate));
        // Two frames with a second between them for the stream that continues; one frame and no end for the other.
        server.enqueue(new MockResponse.Builder()
                .body("{\"a\":1}{\"b\":2}")
                .throttleBody(7, 1, TimeUnit.SECONDS)
                .build());
        server.enqueue(new MockResponse.Builder()
                .body("{\"a\":1}{\"b\":2}")
                .throttleBody(7, 1, TimeUnit.HOURS)
                .build());
        server.start();
        transport = LoopbackTls.clientOf(server, certificate);
    }

    @AfterEach
    void stop() {
        transport.close();
        server.close();
    }

    /** Runs the call on an interrupted thread, and returns the exception, which it must throw. */
    private static Kind onAnInterruptedThread(Blocking body) throws Exception {
        CompletableFuture<Kind> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                body.run();
                end.completeExceptionally(new AssertionError("ended in order"));
            } catch (TransportException e) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                end.complete(e.kind());
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        thread.start();
        return end.get(10, TimeUnit.SECONDS);
    }

    @Test
    void next_interruptedThread_endsItsOwnStreamAlone() throws Exception {
        try (ApiStream other = transport.stream(GET)) {
            assertThat(other.next()).asString(UTF_8).isEqualTo("{\"a\":1}");

            assertThat(onAnInterruptedThread(() -> {
                        try (ApiStream stream = transport.stream(GET)) {
                            stream.next();
                            Thread.currentThread().interrupt();
                            stream.next();
                        }
                    }))
                    .isEqualTo(Kind.CLOSED);

            assertThat(other.next()).asString(UTF_8).isEqualTo("{\"b\":2}");
        }
        assertOneConnection();
    }

    @Test
    void close_ofAnAnswerOnAnInterruptedThread_leavesTheOthers() throws Exception {
        try (ApiResponse other = transport.execute(GET)) {
            assertThat(other.body().readNBytes(7)).asString(UTF_8).isEqualTo("{\"a\":1}");

            assertThat(onAnInterruptedThread(() -> {
                        try (ApiResponse response = transport.execute(GET)) {
                            response.body().readNBytes(7);
                            Thread.currentThread().interrupt();
                            response.body().readNBytes(7);
                        }
                    }))
                    .isEqualTo(Kind.CLOSED);

            assertThat(other.body().readAllBytes()).asString(UTF_8).isEqualTo("{\"b\":2}");
        }
        assertOneConnection();
    }

    @Test
    void stream_onAThreadThatIsInterruptedAlready_isNotSent() throws Exception {
        try (ApiStream other = transport.stream(GET)) {
            assertThat(other.next()).asString(UTF_8).isEqualTo("{\"a\":1}");

            assertThat(onAnInterruptedThread(() -> {
                        Thread.currentThread().interrupt();
                        transport.stream(GET).close();
                    }))
                    .isEqualTo(Kind.CLOSED);

            assertThat(other.next()).asString(UTF_8).isEqualTo("{\"b\":2}");
        }
        // Data left in the connection's buffer would arrive with this request.
        transport.stream(GET).close();
        assertThat(server.getRequestCount()).isEqualTo(2);
    }

    private void assertOneConnection() throws Exception {
        assertThat(server.takeRequest().getConnectionIndex()).isZero();
        assertThat(server.takeRequest().getConnectionIndex()).isZero();
    }
}
