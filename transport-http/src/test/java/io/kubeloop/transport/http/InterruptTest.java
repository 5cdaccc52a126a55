/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static io.kubeloop.transport.http.RawServer.chunk;
import static io.kubeloop.transport.http.RawServer.chunkedHead;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okhttp3.Protocol;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An interrupt ends a blocked call at every point. So an informer with a silent server stops without waiting for a
 * timeout.
 */
@Timeout(60)
class InterruptTest {

    private static final ApiRequest LIST = ApiRequest.get("/api/v1/pods", Map.of());

    enum Wire {
        HTTP,
        HTTPS_1_1,
        HTTP_2
    }

    /** The result of a thread. */
    private record End(Kind kind, boolean interrupted, String message) {}

    private interface Blocking {
        void run() throws Exception;
    }

    /** Runs the call on a new thread, interrupts it when it blocks, and returns the result. */
    private static End interrupted(Blocking body, CountDownLatch reached) throws Exception {
        CompletableFuture<End> end = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                        end.completeExceptionally(new AssertionError("ended in order"));
                    } catch (TransportException e) {
                        end.complete(new End(e.kind(), Thread.currentThread().isInterrupted(), e.getMessage()));
                    } catch (Throwable e) {
                        end.completeExceptionally(e);
                    }
                },
                "caller");
        thread.start();
        assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();
        await().until(() -> isBlocked(thread));
        thread.interrupt();
        return end.get(20, TimeUnit.SECONDS);
    }

    private static boolean isBlocked(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            boolean socket = frame.getClassName().startsWith("sun.nio.ch");
            boolean stream = frame.getMethodName().startsWith("waitForIo");
            if (socket || stream) {
                return true;
            }
        }
        return false;
    }

    private static void hold(Socket socket) throws Exception {
        while (socket.getInputStream().read() != -1) {
            // Waits for nothing in particular.
        }
    }

    private static OkHttpTransport transport(String url) {
        return OkHttpTransport.create(ClientConfigBuilder.builder()
                .server(url)
                .timeouts(new Timeouts(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO))
                .build());
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void execute_interruptedBeforeTheAnswer_endsAtOnce(Wire wire) throws Exception {
        HeldCertificate certificate = LoopbackTls.certificate();
        try (MockWebServer server = new MockWebServer()) {
            if (wire != Wire.HTTP) {
                server.useHttps(LoopbackTls.serving(certificate));
                server.setProtocols(
                        wire == Wire.HTTP_2
                                ? java.util.List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
                                : java.util.List.of(Protocol.HTTP_1_1));
            }
            server.enqueue(new MockResponse.Builder()
                    .onResponseStart(SocketEffect.Stall.INSTANCE)
                    .build());
            server.enqueue(new MockResponse.Builder().body("{}").build());
            server.start();
            CountDownLatch reached = new CountDownLatch(1);
            new Thread(() -> {
                        try {
                            server.takeRequest();
                            reached.countDown();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .start();
            try (OkHttpTransport transport = OkHttpTransport.create(ClientConfigBuilder.builder()
                    .server((wire == Wire.HTTP ? "http" : "https") + "://127.0.0.1:" + server.getPort())
                    .tls(
                            wire == Wire.HTTP
                                    ? TlsConfig.NONE
                                    : TlsConfigBuilder.builder()
                                            .caData(certificate.certificatePem())
                                            .build())
                    .build())) {

                End end = interrupted(() -> transport.execute(LIST).close(), reached);

                assertThat(end.kind()).isEqualTo(Kind.CLOSED);
                assertThat(end.interrupted()).isTrue();
                assertThat(end.message())
                        .startsWith("GET /api/v1/pods at ")
                        .endsWith(": the calling thread was interrupted");
                // The transport itself remains usable.
                try (ApiResponse response = transport.execute(LIST)) {
                    assertThat(response.code()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void body_interruptedWhileBeingRead_endsAtOnce() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
                    RawServer.write(socket, chunkedHead() + chunk("{\"items\":["));
                    reached.countDown();
                    hold(socket);
                });
                OkHttpTransport transport = transport(server.url())) {
            End end = interrupted(
                    () -> {
                        try (ApiResponse response = transport.execute(LIST)) {
                            response.body().readAllBytes();
                        }
                    },
                    reached);

            assertThat(end.kind()).isEqualTo(Kind.CLOSED);
            assertThat(end.interrupted()).isTrue();
        }
    }

    @Test
    void stream_interruptedBeforeItsHeadersAndBetweenFrames_endsAtOnce() throws Exception {
        CountDownLatch silent = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
                    if (line.contains("silent")) {
                        silent.countDown();
                    } else {
                        RawServer.write(socket, chunkedHead());
                        open.countDown();
                    }
                    hold(socket);
                });
                OkHttpTransport transport = transport(server.url())) {
            End before = interrupted(
                    () -> transport.stream(ApiRequest.get("/silent", Map.of())).close(), silent);
            End between = interrupted(
                    () -> {
                        try (ApiStream stream = transport.stream(LIST)) {
                            stream.next();
                        }
                    },
                    open);

            assertThat(before.kind()).isEqualTo(Kind.CLOSED);
            assertThat(between.kind()).isEqualTo(Kind.CLOSED);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void execute_transportClosedMeanwhile_endsAtOnce(boolean answered) throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        try (RawServer server = new RawServer((socket, line) -> {
            if (answered) {
                RawServer.write(socket, chunkedHead() + chunk("{\"items\":["));
            }
            reached.countDown();
            hold(socket);
        })) {
            OkHttpTransport transport = transport(server.url());
            CompletableFuture<Kind> end = CompletableFuture.supplyAsync(
                    () -> {
                        try (ApiResponse response = transport.execute(LIST)) {
                            response.body().read(new byte[100]);
                            response.body().read(new byte[100]);
                            return null;
                        } catch (TransportException e) {
                            return e.kind();
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    },
                    task -> new Thread(task, "caller").start());
            assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();

            transport.close();

            assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(Kind.CLOSED);
        }
    }
}
