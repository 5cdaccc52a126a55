/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.credentials;

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
    private volatile Duration tokenLife = Duration.ofHours(1);
    private volatile boolean refusesAll;
    private volatile boolean hasAccount = true;

    /** Responses token requests: token-1, token-2 ..., each valid for {@link #tokenLife}. */
    private final Transport server = new Carrier("server") {
        @Override
        public ApiResponse execute(ApiRequest request) {
            assertThat(request.path()).isEqualTo("/api/v1/namespaces/kube-system/serviceaccounts/robot/token");
            String body = "{\"status\":{\"token\":\"token-" + tokensAsked.incrementAndGet()
                    + "\",\"expirationTimestamp\":\"" + clock.instant().plus(tokenLife) + "\"}}";
            return answer(
                    tokenAnswer, tokenAnswer == 201 ? body : "{\"kind\":\"Status\",\"code\":" + tokenAnswer + "}");
        }
    };

    /** Refuses the tokens it is told to; after it was closed there is no answer. */
    private static class Carrier implements Transport {

        final String token;
        volatile boolean refuses;
        volatile boolean closed;

        Carrier(String token) {
            this.token = token;
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            if (closed) {
                throw new TransportException(TransportException.Kind.CLOSED, token, null);
            }
            return refuses ? answer(401, "") : answer(200, token);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            int code = execute(request).code();
            return new ApiStream() {
                @Override
                public int code() {
                    return code;
                }

                @Override
                public Map<String, List<String>> headers() {
                    return Map.of();
                }

                @Override
                public byte[] next() {
                    return token.getBytes(StandardCharsets.UTF_8);
                }

                @Override
                public void close() {}
            };
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
        TokenRequests tokens = new TokenRequests(server, JsonCodec.standard(), "kube-system", "robot", clock, () -> {
            hasAccount = true;
            tokenAnswer = 201;
        });
        return new RenewingTransport(
                tokens,
                token -> {
                    Carrier carrier = new Carrier(token);
                    carrier.refuses = refusesAll;
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
        clock.advance(Duration.ofSeconds(10));
        carriers.get(0).refuses = true;
        assertThat(send(transport)).isEqualTo("200 token-2");
        clock.advance(Duration.ofSeconds(10));
        carriers.get(1).refuses = true;
        carriers.get(0).refuses = false;
        assertThat(send(transport)).isEqualTo("200 token-3");
        assertThat(tokensAsked).hasValue(3);
    }

    @Test
    void execute_everyTokenRefused_isAnsweredSoByOneTransportAtATime() throws Exception {
        RenewingTransport transport = transport();
        refusesAll = true;
        for (int i = 0; i < 100; i++) {
            assertThat(send(transport)).isEqualTo("401 ");
            transport.stream(REQUEST).close();
        }
        assertThat(carriers).hasSize(1);

        for (int i = 0; i < 5; i++) {
            clock.advance(Duration.ofSeconds(10));
            assertThat(send(transport)).isEqualTo("401 ");
            assertThat(send(transport)).isEqualTo("401 ");
        }

        assertThat(carriers).hasSize(6);
        assertThat(carriers).filteredOn(carrier -> !carrier.closed).hasSize(1);
    }

    @Test
    void execute_clockAheadOfTheServers_doesNotReplaceEveryToken() throws Exception {
        RenewingTransport transport = transport();
        tokenLife = Duration.ofMinutes(-5);
        for (int i = 0; i < 100; i++) {
            assertThat(send(transport)).isEqualTo("200 token-1");
        }
        clock.advance(Duration.ofSeconds(10));
        assertThat(send(transport)).isEqualTo("200 token-2");
    }

    @Test
    void execute_clockSetBack_stillReplacesARefusedToken() throws Exception {
        RenewingTransport transport = transport();
        send(transport);
        clock.advance(Duration.ofHours(-1));
        carriers.get(0).refuses = true;
        assertThat(send(transport)).isEqualTo("200 token-2");
    }

    @Test
    void oldTransport_livesUntilItsLastAnswerAndStreamAreClosed() throws Exception {
        RenewingTransport transport = transport();
        ApiResponse response = transport.execute(REQUEST);
        ApiStream stream = transport.stream(REQUEST);
        clock.advance(Duration.ofMinutes(48));
        assertThat(send(transport)).isEqualTo("200 token-2");

        response.close();
        response.close();
        assertThat(carriers.get(0).closed).isFalse();
        assertThat(stream.next()).isEqualTo("token-1".getBytes(StandardCharsets.UTF_8));
        stream.close();
        stream.close();
        assertThat(carriers.get(0).closed).isTrue();
        assertThat(send(transport)).isEqualTo("200 token-2");
    }

    @Test
    void oldTransport_callThatFailed_isNoneToWaitFor() throws Exception {
        RenewingTransport transport = transport();
        send(transport);
        carriers.get(0).closed = true;
        assertThatThrownBy(() -> send(transport)).isInstanceOf(TransportException.class);
        assertThatThrownBy(() -> transport.stream(REQUEST)).isInstanceOf(TransportException.class);
        carriers.get(0).closed = false;
        clock.advance(Duration.ofMinutes(48));
        send(transport);
        assertThat(carriers.get(0).closed).isTrue();
    }

    @Test
    void execute_whileTokensAreReplaced_neverMeetsAClosedTransport() throws Exception {
        RenewingTransport transport = transport();
        ExecutorService callers = Executors.newFixedThreadPool(4);
        try {
            List<Future<Void>> done = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                done.add(callers.submit(() -> {
                    for (int n = 0; n < 1000; n++) {
                        clock.advance(Duration.ofMinutes(16));
                        assertThat(send(transport)).startsWith("200 ");
                    }
                    return null;
                }));
            }
            for (Future<Void> one : done) {
                one.get();
            }
        } finally {
            callers.shutdownNow();
        }
        assertThat(carriers).filteredOn(carrier -> !carrier.closed).hasSize(1);
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
    void execute_noNewTokenToBeHad_goesOnWithTheOldOneForAsLongAsItIsTaken() throws Exception {
        RenewingTransport transport = transport();
        send(transport);
        clock.advance(Duration.ofMinutes(48));
        tokenAnswer = 503;
        for (int i = 0; i < 100; i++) {
            assertThat(send(transport)).isEqualTo("200 token-1");
        }
        assertThat(tokensAsked).hasValue(2);
        assertThat(carriers.get(0).closed).isFalse();

        clock.advance(Duration.ofSeconds(10));
        assertThat(send(transport)).isEqualTo("200 token-1");
        assertThat(tokensAsked).hasValue(3);

        carriers.get(0).refuses = true;
        assertThatThrownBy(() -> send(transport)).isInstanceOf(ApiException.class);
        tokenAnswer = 201;
        assertThat(send(transport)).isEqualTo("200 token-5");
        assertThat(carriers.get(0).closed).isTrue();
    }

    @Test
    void execute_accountDeleted_makesItAnew() throws Exception {
        RenewingTransport transport = transport();
        send(transport);
        clock.advance(Duration.ofMinutes(1));
        carriers.get(0).refuses = true;
        hasAccount = false;
        tokenAnswer = 404;
        assertThat(send(transport)).isEqualTo("200 token-3");
        assertThat(hasAccount).isTrue();
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
