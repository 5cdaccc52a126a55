package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.app.cli.ShutdownSignal;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A manager without the permission to read a resource names the resource and the missing role, in its log and on
 * /readyz.
 */
@Isolated("reads standard error")
@Timeout(60)
class MissingRoleTest {

    private static final String PODS = "/api/v1/pods";

    /** Refuses to let pods be listed and watched, as RBAC does, without naming the verb: other authorizers do not. */
    private static final class WithoutPods implements Transport {

        private static final byte[] REFUSAL = ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
                        + "\"message\":\"not today\",\"reason\":\"Forbidden\",\"code\":403}")
                .getBytes(UTF_8);

        private final Transport server;

        WithoutPods(Transport server) {
            this.server = server;
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            return request.path().equals(PODS)
                    ? new ApiResponse(
                            403, Map.of("content-type", List.of("application/json")), new ByteArrayInputStream(REFUSAL))
                    : server.execute(request);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return request.path().equals(PODS) ? new Refused() : server.stream(request);
        }

        @Override
        public void close() {}

        private static final class Refused implements ApiStream {

            private final AtomicBoolean read = new AtomicBoolean();

            @Override
            public int code() {
                return 403;
            }

            @Override
            public Map<String, List<String>> headers() {
                return Map.of("content-type", List.of("application/json"));
            }

            @Override
            public byte @Nullable [] next() {
                return read.getAndSet(true) ? null : REFUSAL;
            }

            @Override
            public void close() {}
        }
    }

    @RegisterExtension
    private final CapturedErrors log = new CapturedErrors();

    @Test
    void podsThatMayNotBeListed_areNamedWithTheRole_onReadyzAndInTheLog() throws Exception {
        ShutdownSignal signal = ShutdownSignal.inert();
        StringWriter out = new StringWriter();
        String remedy = "the user may not list pods: it needs a role with the rule apiGroups: [\"\"],"
                + " resources: [\"pods\"], verbs: [\"list\", \"watch\"]";
        int port = freePort();
        try (EmbeddedApiServer server = EmbeddedApiServer.builder().build();
                HttpApiServer httpServer = HttpApiServer.start(
                        new WithoutPods(server.transport()), server.server(), HttpApiServer.Config.DEFAULT)) {
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> Main.run(
                    signal,
                    new PrintWriter(out, true),
                    new PrintWriter(out, true),
                    "controller-manager",
                    "--master=" + httpServer.uri(),
                    "--leader-elect=false",
                    "--http-port=" + port));
            await().until(() -> log.text().contains(remedy));
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(readyz(port))
                            .startsWith("500 ")
                            .contains("[-]informer-sync failed: pods (GET /api/v1/pods: 403 Forbidden: not today; "
                                    + remedy + "; failed at 20")
                            .contains(", nothing received so far)"));
            signal.ask();
            assertThat(code.join()).isZero();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String readyz(int port) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + "/readyz").toURL().openConnection();
        int code = connection.getResponseCode();
        try (InputStream body = code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return code + " " + new String(body.readAllBytes(), UTF_8);
        }
    }
}
