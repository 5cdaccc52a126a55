/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestMetricsTest {

    private static final ApiRequest GET = ApiRequest.get("/api/v1/pods", Map.of());
    private static final ApiRequest POST = ApiRequest.of(
            "POST", "/api/v1/namespaces/a/pods", Map.of(), ApiRequest.Body.json("{\"a\":1}".getBytes(UTF_8)));

    @StartStop
    final MockWebServer server = new MockWebServer();

    private final List<String> told = new ArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private final List<OkHttpTransport> transports = new ArrayList<>();

    private final RequestMetrics metrics = new RequestMetrics() {
        @Override
        public void throttled(String method, Duration waited) {
            told.add("throttled " + method + " " + waited.toMillis());
        }

        @Override
        public void attempted(String method, int code) {
            told.add("attempted " + method + " " + code);
        }

        @Override
        public void retried(String method, int code) {
            told.add("retried " + method + " " + code);
        }

        @Override
        public void finished(String method, Duration took, long sentBytes, long receivedBytes) {
            told.add("finished " + method + " " + took.toMillis() + " " + sentBytes + " " + receivedBytes);
        }
    };

    @AfterEach
    void close() {
        transports.forEach(OkHttpTransport::close);
    }

    private OkHttpTransport transport(ClientConfigBuilder config, RequestMetricsProvider provider) {
        OkHttpTransport transport = OkHttpTransport.builder(
                        config.server(server.url("/").toString()).build())
                .metrics(provider)
                .scheduler(new InstantScheduler(clock))
                .build();
        transports.add(transport);
        return transport;
    }

    private OkHttpTransport transport() {
        return transport(ClientConfigBuilder.builder(), host -> metrics);
    }

    private static MockResponse.Builder answer(int code, String body) {
        return new MockResponse.Builder().code(code).body(body);
    }

    private static void exchange(OkHttpTransport transport, ApiRequest request) {
        try (ApiResponse response = transport.execute(request)) {
            response.wholeBody("test");
        }
    }

    @Test
    void register_isToldWhichServer() {
        List<String> hosts = new ArrayList<>();
        transport(ClientConfigBuilder.builder(), host -> {
            hosts.add(host);
            return metrics;
        });
        assertThat(hosts).containsExactly(server.getHostName() + ":" + server.getPort());
        for (String[] each :
                new String[][] {{"https://[::1]:6443/x", "[::1]:6443"}, {"https://k.example", "k.example"}}) {
            transports.add(OkHttpTransport.builder(ClientConfig.of(each[0]))
                    .metrics(host -> {
                        assertThat(host).isEqualTo(each[1]);
                        return metrics;
                    })
                    .build());
        }
    }

    @Test
    void execute_answered_isMeasuredUntilItsAnswerIsClosed_MX01() {
        server.enqueue(answer(201, "created").build());
        try (ApiResponse response = transport().execute(POST)) {
            assertThat(told).containsExactly("attempted POST 201");
            clock.addAndGet(Duration.ofMillis(40).toNanos());
            response.wholeBody("test");
        }
        assertThat(told).containsExactly("attempted POST 201", "finished POST 40 7 7");
    }

    @Test
    void execute_askedForPatience_isOneRequestOfTwoAttempts_MX01() {
        server.enqueue(answer(429, "").addHeader("Retry-After", "2").build());
        server.enqueue(answer(200, "ok").build());
        exchange(transport(), GET);
        assertThat(told)
                .containsExactly("attempted GET 429", "retried GET 429", "attempted GET 200", "finished GET 2000 0 2");
    }

    @Test
    void execute_connectionBreaksTwice_isTwoAttemptsWithoutAnswer_MX01() {
        for (int i = 0; i < 2; i++) {
            server.enqueue(answer(200, "")
                    .onRequestStart(new SocketEffect.CloseSocket())
                    .build());
        }
        assertThatThrownBy(() -> transport().execute(GET)).isInstanceOf(TransportException.class);
        assertThat(told).containsExactly("attempted GET 0", "retried GET 0", "attempted GET 0", "finished GET 0 0 0");
    }

    @Test
    void execute_rateLimited_tellsEachWait() {
        server.enqueue(answer(200, "").build());
        server.enqueue(answer(200, "").build());
        OkHttpTransport transport =
                transport(ClientConfigBuilder.builder().qps(2).burst(1), host -> metrics);
        exchange(transport, GET);
        exchange(transport, GET);
        assertThat(told)
                .containsExactly(
                        "throttled GET 0",
                        "attempted GET 200",
                        "finished GET 0 0 0",
                        "throttled GET 500",
                        "attempted GET 200",
                        "finished GET 500 0 0");
    }

    @Test
    void stream_isAnAttemptAndNoMore_MX01() {
        server.enqueue(answer(200, "{}\n").build());
        try (ApiStream stream = transport().stream(GET)) {
            assertThat(stream.code()).isEqualTo(200);
        }
        assertThat(told).containsExactly("attempted GET 200");
    }

    @Test
    void execute_writeThatMayNotBeSent_isNoAttempt() {
        OkHttpTransport transport = OkHttpTransport.builder(
                        ClientConfig.of(server.url("/").toString()))
                .metrics(host -> metrics)
                .mayWrite(() -> false)
                .scheduler(new InstantScheduler(clock))
                .build();
        transports.add(transport);
        assertThatThrownBy(() -> transport.execute(POST)).isInstanceOf(TransportException.class);
        assertThat(told).containsExactly("finished POST 0 7 0");
    }

    @Test
    void execute_metricsThatThrow_damageNoRequest() {
        server.enqueue(answer(200, "ok").build());
        RequestMetrics broken = new RequestMetrics() {
            @Override
            public void attempted(String method, int code) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void finished(String method, Duration took, long sentBytes, long receivedBytes) {
                throw new IllegalStateException("broken");
            }
        };
        OkHttpTransport transport = transport(ClientConfigBuilder.builder(), host -> broken);
        try (ApiResponse response = transport.execute(GET)) {
            assertThat(response.wholeBody("test")).asString().isEqualTo("ok");
        }
    }

    @Test
    void execute_metricsThatFailWithAnError_leaveNoConnectionTaken() throws InterruptedException {
        server.enqueue(answer(200, "one").build());
        server.enqueue(answer(200, "two").build());
        AtomicBoolean fails = new AtomicBoolean(true);
        OkHttpTransport transport = transport(ClientConfigBuilder.builder(), host -> new RequestMetrics() {
            @Override
            public void attempted(String method, int code) {
                if (fails.getAndSet(false)) {
                    throw new NoClassDefFoundError("a class of the metrics");
                }
            }
        });

        assertThatThrownBy(() -> transport.execute(GET)).isInstanceOf(NoClassDefFoundError.class);
        exchange(transport, GET);

        server.takeRequest();
        assertThat(server.takeRequest().getExchangeIndex())
                .as("on a connection that was used before")
                .isEqualTo(1);
    }
}
