/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write is not sent if writes are no longer allowed when its wait ends (I10). */
@Timeout(60)
class WriteFenceTest {

    private static final ApiRequest GET = ApiRequest.get("/api/v1/pods", Map.of());
    private static final ApiRequest POST = ApiRequest.of("POST", "/api/v1/namespaces/a/pods", Map.of(), null);

    @StartStop
    final MockWebServer server = new MockWebServer();

    private final AtomicBoolean leading = new AtomicBoolean(true);
    private final List<Duration> pauses = new ArrayList<>();
    private final List<OkHttpTransport> transports = new ArrayList<>();

    @AfterEach
    void close() {
        transports.forEach(OkHttpTransport::close);
    }

    /** Returns a transport during whose waits this process loses its leadership. */
    private OkHttpTransport transport(ClientConfigBuilder config, BooleanSupplier mayWrite) {
        OkHttpTransport transport = OkHttpTransport.builder(
                        config.server(server.url("/").toString()).build())
                .mayWrite(mayWrite)
                .scheduler(new InstantScheduler(duration -> {
                    pauses.add(duration);
                    leading.set(false);
                }))
                .build();
        transports.add(transport);
        return transport;
    }

    private OkHttpTransport transport(ClientConfigBuilder config) {
        return transport(config, leading::get);
    }

    private void answers(int... codes) {
        for (int code : codes) {
            server.enqueue(new MockResponse.Builder()
                    .code(code)
                    .addHeader("Retry-After", "7")
                    .build());
        }
    }

    private static void assertNotSent(OkHttpTransport transport, ApiRequest request) {
        TransportException failure = catchThrowableOfType(
                TransportException.class, () -> transport.execute(request).close());

        assertThat(failure).isNotNull();
        assertThat(failure.kind()).isEqualTo(Kind.CLOSED);
        assertThat(failure)
                .hasMessageStartingWith(request.describe() + " at http://")
                .hasMessageEndingWith(": not sent, writes are no longer allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
    void execute_leadLostWhileTheServerAskedForPatience_isNotSentAgain(String method) {
        answers(429, 200);

        assertNotSent(
                transport(ClientConfigBuilder.builder()),
                ApiRequest.of(method, "/api/v1/namespaces/a/pods/b", Map.of(), null));

        assertThat(pauses).containsExactly(Duration.ofSeconds(7));
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void execute_leadLostWhileItWaitedForItsTurn_isNotSent() {
        answers(200, 200);
        OkHttpTransport transport =
                transport(ClientConfigBuilder.builder().qps(1).burst(1));
        transport.execute(POST).close();

        assertNotSent(transport, POST);

        assertThat(pauses).containsExactly(Duration.ofSeconds(1));
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void execute_leadLostWhileItConnected_isNotSent() throws Exception {
        answers(200);
        try (TestProxy proxy = TestProxy.socks(server.getPort(), "", 0)) {
            ClientConfigBuilder config = ClientConfigBuilder.builder().proxyUrl("socks5://127.0.0.1:" + proxy.port());

            assertNotSent(transport(config, () -> proxy.seen().isEmpty()), POST);

            assertThat(proxy.seen()).hasSize(1);
        }
        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void execute_reading_isNotAskedAbout() {
        answers(429, 200);
        leading.set(false);

        try (ApiResponse answer = transport(ClientConfigBuilder.builder()).execute(GET)) {
            assertThat(answer.code()).isEqualTo(200);
        }
    }

    @Test
    void execute_mayWriteAgain_isSent() {
        answers(200);
        OkHttpTransport transport = transport(ClientConfigBuilder.builder());
        leading.set(false);
        assertNotSent(transport, POST);

        leading.set(true);

        transport.execute(POST).close();
        assertThat(server.getRequestCount()).isEqualTo(1);
    }
}
