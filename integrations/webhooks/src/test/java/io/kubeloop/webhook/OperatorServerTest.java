/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.apiserver.http.TestCertificate;
import io.kubeloop.apiserver.http.wire.PemTls;
import io.kubeloop.controller.runner.RunnerHealth;
import io.kubeloop.json.JsonCodec;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorServerTest {

    private static final Webhooks WEBHOOKS = Webhooks.of(JsonCodec.standard())
            .admission("/maps", ResourceTypes.CONFIG_MAPS, review -> {
                if (review.name().equals("broken")) {
                    throw new IllegalStateException("broken");
                }
                return AdmissionAnswer.<ConfigMap>deny("no " + review.name());
            });

    private static OperatorServer.Builder local() {
        return OperatorServer.builder().address("127.0.0.1").port(0);
    }

    private static HttpResponse<String> send(
            HttpClient client, OperatorServer server, String path, @Nullable String body) throws Exception {
        return send(client, "http://127.0.0.1:" + server.port() + path, body);
    }

    private static HttpResponse<String> send(HttpClient client, String url, @Nullable String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        return client.send(
                (body == null ? request : request.POST(BodyPublishers.ofString(body))).build(),
                BodyHandlers.ofString());
    }

    private static String review(String name) {
        return """
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u1","name":"%s",\
                "resource":{"group":"","version":"v1","resource":"configmaps"}}}""".formatted(name);
    }

    @Test
    void pages_showHealthMetricsAndWebhooks() throws Exception {
        AtomicReference<RunnerHealth> health = new AtomicReference<>(new RunnerHealth(false, true, false, List.of()));
        HttpClient client = HttpClient.newHttpClient();
        try (OperatorServer server = local().webhooks(WEBHOOKS)
                .health(health::get)
                .metrics(() -> "queue_depth 1\n")
                .start()) {
            assertThat(send(client, server, "/livez", null).statusCode()).isEqualTo(200);
            assertThat(send(client, server, "/readyz", null).statusCode()).isEqualTo(200);
            assertThat(send(client, server, "/metrics", null).body()).isEqualTo("queue_depth 1\n");
            health.set(new RunnerHealth(true, false, false, List.of()));
            HttpResponse<String> ended = send(client, server, "/livez", null);
            assertThat(ended.statusCode()).isEqualTo(500);
            assertThat(ended.body()).contains("the runner has ended");

            assertThat(send(client, server, "/maps", review("a")).body()).contains("no a");
            assertThat(send(client, server, "/maps", null).statusCode()).isEqualTo(405);
            assertThat(send(client, server, "/maps", "{}").statusCode()).isEqualTo(400);
            assertThat(send(client, server, "/maps", review("broken")).statusCode())
                    .isEqualTo(500);
            HttpResponse<String> other = send(client, server, "/other", null);
            assertThat(other.statusCode()).isEqualTo(404);
            assertThat(other.body()).contains("/maps");
        }
    }

    @Test
    void bodyAboveTheBound_isRefused() throws Exception {
        try (OperatorServer server = local().webhooks(WEBHOOKS).start()) {
            assertThat(statusOf(server, "Content-Length: " + (OperatorServer.MAX_BODY + 1), ""))
                    .contains("413");
            String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
            assertThat(statusOf(
                            server, "Transfer-Encoding: chunked", chunk.repeat((OperatorServer.MAX_BODY >> 16) + 1)))
                    .contains("413");
        }
    }

    private static String statusOf(OperatorServer server, String header, String body) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("POST /maps HTTP/1.1\r\nHost: a\r\n" + header + "\r\n\r\n" + body).getBytes(UTF_8));
            return new String(socket.getInputStream().readNBytes(12), UTF_8);
        }
    }

    @Test
    void connectionsAboveTheBound_areClosed() throws Exception {
        try (OperatorServer server = local().webhooks(WEBHOOKS).start()) {
            Socket[] sockets = new Socket[OperatorServer.MAX_CONNECTIONS + 64];
            for (int i = 0; i < sockets.length; i++) {
                sockets[i] = new Socket(InetAddress.getLoopbackAddress(), server.port());
            }
            sockets[0].setSoTimeout(10_000);
            int first = sockets[0].getInputStream().read();
            for (Socket socket : sockets) {
                socket.close();
            }
            assertThat(first).isEqualTo(-1); // gave way to the others
        }
    }

    @Test
    void renewedCertificate_servesTheNextHandshake(@TempDir Path dir) throws Exception {
        Path certificate = dir.resolve("tls.crt");
        Path key = dir.resolve("tls.key");
        TestCertificate first = TestCertificate.make(Files.createDirectory(dir.resolve("1")));
        TestCertificate second = TestCertificate.make(Files.createDirectory(dir.resolve("2")));
        write(first, certificate, key);
        try (OperatorServer server =
                local().webhooks(WEBHOOKS).certificate(certificate, key).start()) {
            assertThat(trusting(first, server)).isEqualTo(200);
            Files.writeString(key, "no key");
            assertThat(trusting(first, server)).isEqualTo(200);
            write(second, certificate, key);
            assertThat(trusting(second, server)).isEqualTo(200);
        }
    }

    private static void write(TestCertificate made, Path certificate, Path key) throws Exception {
        Files.write(certificate, made.certificate());
        Files.writeString(key, made.key());
    }

    private static int trusting(TestCertificate made, OperatorServer server) throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .sslContext(PemTls.client(new KeyManager[0], PemTls.trust(made.certificate())))
                .build();
        return send(client, "https://127.0.0.1:" + server.port() + "/livez", null)
                .statusCode();
    }
}
