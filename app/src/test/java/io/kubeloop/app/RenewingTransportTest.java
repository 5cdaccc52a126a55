package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RenewingTransportTest {

    private static final ApiRequest REQUEST = ApiRequest.get("/api/v1/pods", Map.of());

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final AtomicInteger tokensAsked = new AtomicInteger();
    private final List<Carrier> carriers = new ArrayList<>();
    private volatile int tokenAnswer = 201;

    /** Answers token requests: token-1, token-2 ..., each valid for an hour. */
    private final Transport server = new Carrier("server") {
        @Override
        public ApiResponse execute(ApiRequest request) {
            assertThat(request.path()).isEqualTo("/api/v1/namespaces/kube-system/serviceaccounts/robot/token");
            String body = "{\"status\":{\"token\":\"token-" + tokensAsked.incrementAndGet()
                    + "\",\"expirationTimestamp\":\"" + clock.instant().plus(Duration.ofHours(1)) + "\"}}";
            return answer(tokenAnswer, tokenAnswer == 201 ? body : "{\"kind\":\"Status\",\"reason\":\"Forbidden\"}");
        }
    };

    /** Refuses the tokens it is told to. */
    private static class Carrier implements Transport {

        final String token;
        volatile boolean refuses;
        volatile boolean closed;

        Carrier(String token) {
            this.token = token;
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            return refuses ? answer(401, "") : answer(200, token);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            throw new AssertionError("no test streams");
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static ApiResponse answer(int code, String body) {
        return new ApiResponse(code, Map.of(), new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    private RenewingTransport transport() {
        TokenRequests tokens = new TokenRequests(server, JsonCodec.standard(), "kube-system", "robot", clock);
        return new RenewingTransport(
                tokens,
                token -> {
                    Carrier carrier = new Carrier(token);
                    synchronized (carriers) {
                        carriers.add(carrier);
                    }
                    return carrier;
                },
                clock);
    }

    private static String send(Transport transport) throws Exception {
        try (ApiResponse response = transport.execute(REQUEST)) {
            return response.code() + " " + new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void execute_whileTheTokenIsFresh_asksForOne() throws Exception {
        RenewingTransport transport = transport();
        assertThat(send(transport)).isEqualTo("200 token-1");
        clock.advance(Duration.ofMinutes(47));
        assertThat(send(transport)).isEqualTo("200 token-1");
        assertThat(tokensAsked).hasValue(1);
    }

    @Test
    void execute_mostOfTheTokensLifeIsOver_asksForTheNext() throws Exception {
        RenewingTransport transport = transport();
        send(transport);
        clock.advance(Duration.ofMinutes(48));
        assertThat(send(transport)).isEqualTo("200 token-2");
    }

    @Test
    void execute_tokenRefused_triesOnceWithTheNext() throws Exception {
        RenewingTransport transport = transport();
        send(transport);
        carriers.get(0).refuses = true;
        assertThat(send(transport)).isEqualTo("200 token-2");
        carriers.get(1).refuses = true;
        carriers.get(0).refuses = false;
        assertThat(send(transport)).isEqualTo("200 token-3");
        assertThat(tokensAsked).hasValue(3);
    }

    @Test
    void execute_noTokenToBeHad_saysWhyAndTriesAgainNextTime() throws Exception {
        RenewingTransport transport = transport();
        tokenAnswer = 403;
        assertThatThrownBy(() -> send(transport))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.isForbidden()).isTrue())
                .hasMessageContaining("serviceaccounts/robot/token")
                .hasMessageNotContaining("token-1");
        tokenAnswer = 201;
        assertThat(send(transport)).isEqualTo("200 token-2");
    }

    @Test
    void execute_manyAtOnce_shareOneToken() throws Exception {
        RenewingTransport transport = transport();
        CountDownLatch go = new CountDownLatch(1);
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(callers.submit(() -> {
                    go.await();
                    return send(transport);
                }));
            }
            go.countDown();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("200 token-1");
            }
        } finally {
            callers.shutdownNow();
        }
        assertThat(tokensAsked).hasValue(1);
    }

    @Test
    void close_everyTransportMade_isClosed() throws Exception {
        RenewingTransport transport = transport();
        send(transport);
        clock.advance(Duration.ofHours(2));
        send(transport);
        transport.close();
        assertThat(carriers).hasSize(2).allMatch(carrier -> carrier.closed);
        clock.advance(Duration.ofHours(2));
        assertThatThrownBy(() -> send(transport)).isInstanceOf(TransportException.class);
    }
}
