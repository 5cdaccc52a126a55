/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.apiserver.http.Forwarder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that has disappeared silently (users #1): no data arrives, and no end of the connection. */
@Timeout(60)
class HalfOpenPeerTest {

    /** Responds by request and not by order: on a busy machine a ping may be late before the first response. */
    private static final Dispatcher PEER = new Dispatcher() {
        @Override
        public MockResponse dispatch(RecordedRequest request) {
            MockResponse.Builder answer = new MockResponse.Builder();
            return request.getUrl().queryParameter("watch") == null
                    ? answer.body("{}").build()
                    : answer.body("{\"a\":1}{\"b\":")
                            .throttleBody(7, 1, TimeUnit.HOURS)
                            .build();
        }
    };

    private static final Timeouts PINGING = TimeoutsBuilder.builder(Timeouts.DEFAULT)
            .ping(Duration.ofSeconds(3))
            .build();

    /** Gives up before a ping tells anything. */
    private static final Timeouts HASTY = TimeoutsBuilder.builder(Timeouts.DEFAULT)
            .call(Duration.ofSeconds(2))
            .build();

    private static ClientConfig config(Forwarder to, HeldCertificate certificate, Timeouts timeouts) {
        return ClientConfigBuilder.builder()
                .server("https://127.0.0.1:" + to.port())
                .tls(TlsConfigBuilder.builder()
                        .caData(certificate.certificatePem())
                        .build())
                .timeouts(timeouts)
                .build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Execution(ExecutionMode.CONCURRENT)
    void next_http2PeerGoneSilent_isNoticedByPingAndTheNextRequestReconnects(boolean nativeTls) throws Exception {
        withTransport(PINGING, nativeTls, (forwarder, transport) -> {
            try (ApiStream stream = transport.stream(ApiRequest.get("/api", Map.of("watch", "true")))) {
                assertThat(stream.next()).asString(UTF_8).isEqualTo("{\"a\":1}");

                forwarder.swallow();
                TransportException failure = catchThrowableOfType(TransportException.class, stream::next);

                assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
                assertThatTheNextRequestReconnects(transport);
            }
        });
    }

    private static void assertThatTheNextRequestReconnects(OkHttpTransport transport) {
        try (ApiResponse response = transport.execute(ApiRequest.get("/api", Map.of()))) {
            assertThat(response.code()).isEqualTo(200);
        }
    }

    /** A leader that pings its connection often has time for more attempts than one that waits for its time-out. */
    @Test
    void execute_http2PeerGoneSilent_isNoticedByPingBeforeItsTimeout() throws Exception {
        withTransport(PINGING, false, (forwarder, transport) -> {
            ApiRequest write = ApiRequest.of("PUT", "/api", Map.of(), null);
            transport.execute(write).close();

            forwarder.swallow();
            TransportException failure = catchThrowableOfType(TransportException.class, () -> transport.execute(write));

            assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
            assertThatTheNextRequestReconnects(transport);
        });
    }

    /** The transport detects a missing pong only after a minute; a leader that renews its lease has seconds. */
    @Test
    void execute_http2PeerGoneSilent_timesOut_andTheNextRequestReconnects() throws Exception {
        withTransport(HASTY, false, (forwarder, transport) -> {
            transport.execute(ApiRequest.get("/api", Map.of())).close();

            forwarder.swallow();
            TransportException failure = catchThrowableOfType(
                    TransportException.class, () -> transport.execute(ApiRequest.get("/api", Map.of())));

            assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
            assertThatTheNextRequestReconnects(transport);
        });
    }

    @Test
    void read_http2PeerGoneSilentAfterTheHeaders_timesOut_andTheNextRequestReconnects() throws Exception {
        withTransport(HASTY, false, (forwarder, transport) -> {
            try (ApiResponse response = transport.execute(ApiRequest.get("/api", Map.of("watch", "true")))) {
                assertThat(response.body().read()).isEqualTo('{');

                forwarder.swallow();
                TransportException failure = catchThrowableOfType(
                        TransportException.class, () -> response.body().readAllBytes());

                assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
            }
            assertThatTheNextRequestReconnects(transport);
        });
    }

    private interface PeerTest {
        void run(Forwarder forwarder, OkHttpTransport transport) throws Exception;
    }

    private static void withTransport(Timeouts timeouts, boolean nativeTls, PeerTest test) throws Exception {
        HeldCertificate certificate = LoopbackTls.certificate();
        try (MockWebServer server = new MockWebServer()) {
            server.useHttps(LoopbackTls.serving(certificate));
            server.setDispatcher(PEER);
            server.start();
            try (Forwarder forwarder = new Forwarder(server.getPort())) {
                ClientConfig config = config(forwarder, certificate, timeouts);
                try (OkHttpTransport transport =
                        (nativeTls ? NativeTlsTest.builderOf(config) : OkHttpTransport.builder(config)).build()) {
                    test.run(forwarder, transport);
                }
            }
        }
    }
}
