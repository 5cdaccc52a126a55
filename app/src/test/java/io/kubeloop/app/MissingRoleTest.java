/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
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

    private static final byte[] REFUSAL = ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
                    + "\"message\":\"not today\",\"reason\":\"Forbidden\",\"code\":403}")
            .getBytes(UTF_8);

    /** Refuses to let pods be listed and watched, as RBAC does, without naming the verb: other authorizers do not. */
    private static ServerResponse withoutPods(EmbeddedApiServer server, ApiRequest request) {
        return request.path().equals(PODS)
                ? ServerResponse.Document.of(403, REFUSAL)
                : server.server().handle(request);
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
                        server.server(), HttpApiServer.Config.DEFAULT, request -> withoutPods(server, request))) {
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> Main.run(
                    signal,
                    new PrintWriter(out, true),
                    new PrintWriter(out, true),
                    "controller-manager",
                    "--secure-port=0",
                    "--master=" + httpServer.uri(),
                    "--leader-elect=false",
                    "--http-port=" + port));
            await().until(() -> log.text().contains(remedy));
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(readyz(port))
                            .startsWith("500 ")
                            .containsPattern(
                                    "\\[-]informer-sync failed: pods \\(GET /api/v1/pods: 403 Forbidden: not today "
                                            + "\\(audit-id \\S+\\); "
                                            + Pattern.quote(remedy) + "; failed at 20")
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
