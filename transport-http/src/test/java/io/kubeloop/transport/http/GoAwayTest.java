/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that closes connections with GOAWAY, as kube-apiserver does at random ({@code --goaway-chance}) and at
 * shutdown (RX-06). A request that one GOAWAY excludes may be excluded again on the next connection, because of other
 * clients' requests.
 */
@Timeout(60)
class GoAwayTest {

    private final HeldCertificate certificate = LoopbackTls.certificate();

    private OkHttpTransport transport(FrameServer server, BooleanSupplier mayWrite) {
        return OkHttpTransport.builder(ClientConfigBuilder.builder()
                        .server(server.url())
                        .tls(LoopbackTls.trusting(certificate))
                        .build())
                .mayWrite(mayWrite)
                .scheduler(new InstantScheduler(delay -> {}))
                .build();
    }

    private static ApiRequest request(String method) {
        return ApiRequest.of(
                method, "/api", Map.of(), method.equals("GET") ? null : ApiRequest.Body.json("{}".getBytes(UTF_8)));
    }

    private static int call(OkHttpTransport transport, String method) {
        try (ApiResponse response = transport.execute(request(method))) {
            return response.code();
        }
    }

    /** Excludes all requests on the first connections. */
    private FrameServer leavingOut(int first) throws IOException {
        return new FrameServer(certificate, (connection, stream) -> {
            if (connection.index() < first) {
                connection.goAway(stream - 2);
            } else {
                connection.answer(stream);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE"})
    void execute_leftOutByOneConnectionAfterTheOther_isSentUntilItIsTaken(String method) throws Exception {
        try (FrameServer server = leavingOut(5);
                OkHttpTransport transport = transport(server, () -> true)) {
            assertThat(call(transport, method)).isEqualTo(200);
            assertThat(server.connections()).isEqualTo(6);
        }
    }

    @Test
    void stream_leftOutByOneConnectionAfterTheOther_isOpened() throws Exception {
        try (FrameServer server = leavingOut(5);
                OkHttpTransport transport = transport(server, () -> true);
                ApiStream stream = transport.stream(request("GET"))) {
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void execute_sentAwayBeforeTheRequestHasLeft_goesToAnotherConnection() throws Exception {
        // A server that shuts down still accepts connections for a moment, and closes each at once.
        Semaphore read = new Semaphore(0);
        FrameServer.Script script = new FrameServer.Script() {
            @Override
            public void connected(FrameServer.Connection connection) throws IOException {
                if (connection.index() == 0) {
                    connection.goAway(0);
                }
                connection.ping();
            }

            @Override
            public void ponged(FrameServer.Connection connection) {
                read.release();
            }

            @Override
            public void requested(FrameServer.Connection connection, int stream) throws IOException {
                connection.answer(stream);
            }
        };
        try (FrameServer server = new FrameServer(certificate, script);
                // Runs between connecting and sending.
                OkHttpTransport transport = transport(server, () -> {
                    read.acquireUninterruptibly();
                    return true;
                })) {
            assertThat(call(transport, "POST")).isEqualTo(200);
            assertThat(server.connections()).isEqualTo(2);
        }
    }
}
