/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Watches over WebSockets, as fabric8's clients open them. */
@Timeout(60)
@Isolated("looks at all threads")
class WebSocketWatchTest {

    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final HttpApiServer httpServer =
            HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT.withIdleWatch(Duration.ofMillis(5)));
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final CountDownLatch pong = new CountDownLatch(1);

    @AfterEach
    void close() {
        httpServer.close();
        server.close();
    }

    /** Collects the messages of the server. */
    private final class Listener implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                messages.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, java.nio.ByteBuffer message) {
            pong.countDown();
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.complete(status);
            return CompletableFuture.completedFuture(null);
        }
    }

    private WebSocket open(String query) {
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header("Origin", httpServer.uri().toString())
                .buildAsync(URI.create("ws://127.0.0.1:" + httpServer.port() + CONFIG_MAPS + query), new Listener())
                .join();
    }

    private void create(String name) {
        String body = "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"text\":\"" + "ä".repeat(40_000) + "\"}}";
        server.transport()
                .execute(ApiRequest.of("POST", CONFIG_MAPS, Map.of(), ApiRequest.Body.json(body.getBytes(UTF_8))))
                .close();
    }

    @Test
    void events_arriveAsTextMessages_andPingsAreAnswered() throws Exception {
        WebSocket socket = open("?watch=true");
        create("a");
        JsonObject event = JsonObject.parse(messages.take().getBytes(UTF_8));
        assertThat(event.string("type")).isEqualTo("ADDED");
        assertThat(event.string("object", "metadata", "name")).isEqualTo("a");
        assertThat(event.string("object", "data", "text")).hasSize(40_000);

        socket.sendText("a watch takes no input", true).join();
        socket.sendPing(java.nio.ByteBuffer.wrap(new byte[] {1})).join();
        pong.await();
        create("b");
        assertThat(messages.take()).contains("\"name\":\"b\"");
        socket.abort();
    }

    @Test
    void clientThatCloses_endsTheWatch() throws Exception {
        WebSocket socket = open("?watch=true");
        create("a");
        messages.take();
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        await().until(() -> threads("websocket") == 0 && threads("connection") == 0);
    }

    @Test
    void clientThatIsGone_endsTheWatch() throws Exception {
        WebSocket socket = open("?watch=true");
        create("a");
        messages.take();
        socket.abort();
        await().until(() -> threads("websocket") == 0 && threads("connection") == 0);
    }

    @Test
    void timeoutOfTheWatch_closesRegularly() throws Exception {
        open("?watch=true&timeoutSeconds=1");
        assertThat(closed.get()).isEqualTo(1000);
    }

    @Test
    void closeOfTheServer_closesRegularly() throws Exception {
        open("?watch=true");
        httpServer.close();
        assertThat(closed.get()).isEqualTo(1000);
    }

    private static long threads(String role) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("kubeloop-http-" + role))
                .count();
    }

    private Socket send(String path, String headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpServer.port());
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                + headers + "\r\n")
                        .getBytes(ISO_8859_1));
        return socket;
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/nothings?watch=true,404",
        CONFIG_MAPS + "?watch=true&sendInitialEvents=true,422",
        CONFIG_MAPS + "?watch=true,403",
    })
    void errorBeforeTheUpgrade_isAnOrdinaryAnswer(String path, int code) throws Exception {
        try (Socket socket =
                send(path, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n")) {
            byte[] start = socket.getInputStream().readNBytes(13);
            assertThat(new String(start, ISO_8859_1)).isEqualTo("HTTP/1.1 " + code + " ");
        }
    }

    @Test
    void protobuf_arrivesInBinaryMessages_andTheOfferedProtocolIsAccepted() throws Exception {
        try (Socket socket = send(
                CONFIG_MAPS + "?watch=true",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nOrigin: "
                        + "http://localhost\r\n"
                        + "Sec-WebSocket-Protocol: base64.binary.k8s.io\r\nAccept: " + ApiRequest.PROTOBUF + "\r\n")) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            assertThat(head.toString())
                    .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
                    .contains(
                            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n",
                            "Sec-WebSocket-Protocol: base64.binary.k8s.io\r\n");
            create("a");
            assertThat(in.readUnsignedByte()).isEqualTo(0x82);
        }
    }

    @Test
    void list_withTheHeadersOfAWebSocket_isAnOrdinaryList() throws Exception {
        try (Socket socket = send(CONFIG_MAPS, "")) {
            assertThat(new String(socket.getInputStream().readNBytes(13), ISO_8859_1))
                    .isEqualTo("HTTP/1.1 200 ");
        }
    }
}
