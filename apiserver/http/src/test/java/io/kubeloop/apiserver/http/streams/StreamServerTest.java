/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.http.HttpLimits;
import io.kubeloop.apiserver.http.watch.OpenWatches;
import io.kubeloop.apiserver.http.wire.ConnectionLimits;
import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.OwnedThreads;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams of commands and forwarded connections, with clients that send any bytes. */
@Timeout(60)
class StreamServerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final JsonObject SUCCESS =
            JsonObject.EMPTY.with("status", "Success").with("message", "done");

    private final OwnedThreads threads = new OwnedThreads(OwnedThreads.virtualOrDaemon());
    private final OpenWatches open = new OpenWatches(threads, Duration.ofMillis(5));
    private final StreamServer server = new StreamServer(threads, open);
    private final CountDownLatch clientEnded = new CountDownLatch(1);
    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    private HttpListener listener;

    @BeforeEach
    void start() throws IOException {
        HttpLimits limits = HttpLimits.DEFAULT;
        listener = HttpListener.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                null,
                new ConnectionLimits(
                        100,
                        limits.maxHeaderBytes(),
                        limits.headerTimeout(),
                        limits.bodyTimeout(),
                        limits.idleTimeout(),
                        limits.writeTimeout()),
                this::serve,
                threads);
        listener.start();
    }

    @AfterEach
    void close() {
        open.close();
        listener.close();
        assertThat(threads.await(TIMEOUT)).isTrue();
    }

    /** A command that returns its input, or a port that does. */
    private void serve(HttpServerExchange exchange) throws IOException {
        if (exchange.target().path().equals("/forward")) {
            server.forward(exchange, List.of("80", "81"), (port, in, out) -> {
                if (port == 99) {
                    return "nothing listens";
                }
                in.transferTo(out);
                return null;
            });
            return;
        }
        boolean all = exchange.target().path().equals("/all");
        CommandConnection.Wanted wanted = new CommandConnection.Wanted(true, true, all, false);
        try (CommandConnection command = server.command(exchange, wanted, clientEnded::countDown)) {
            if (command != null) {
                command.in().transferTo(command.out());
                command.err().write('e');
                command.finish(SUCCESS);
            }
        } catch (IOException e) {
            failures.add(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /** A client of one connection. */
    private final class Client extends SpdyFrames {

        private final Socket socket;
        private final DataInputStream in;

        Client(String path, String headers) throws IOException {
            socket = new Socket(
                    InetAddress.getLoopbackAddress(), listener.address().getPort());
            socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
            in = new DataInputStream(socket.getInputStream());
            send(("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n" + headers + "\r\n\r\n")
                    .getBytes(ISO_8859_1));
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        String head() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            return head.toString();
        }

        /** Sends a masked frame. */
        void frame(int opcode, String content) throws IOException {
            byte[] bytes = content.getBytes(ISO_8859_1);
            ByteBuffer frame = ByteBuffer.allocate(bytes.length + 14).put((byte) (0x80 | opcode));
            if (bytes.length < 126) {
                frame.put((byte) (0x80 | bytes.length));
            } else {
                frame.put((byte) (0x80 | 127)).putLong(bytes.length);
            }
            frame.put(new byte[] {1, 2, 3, 4});
            for (int i = 0; i < bytes.length; i++) {
                frame.put((byte) (bytes[i] ^ (i % 4 + 1)));
            }
            send(Arrays.copyOf(frame.array(), frame.position()));
        }

        /** Returns the opcode and the content of the next frame, which is short. */
        String message() throws IOException {
            int opcode = in.readUnsignedByte() & 0xf;
            byte[] content = new byte[in.readUnsignedByte()];
            in.readFully(content);
            return opcode + ":" + new String(content, ISO_8859_1);
        }

        /** Returns the type and number of a control frame, or the stream, the end and the content of data. */
        String spdyFrame() throws IOException {
            int word = in.readInt();
            int flagsAndLength = in.readInt();
            byte[] content = new byte[flagsAndLength & 0xffffff];
            in.readFully(content);
            return word < 0
                    ? "control " + (word & 0xffff) + " "
                            + ByteBuffer.wrap(content).getInt()
                    : word + (flagsAndLength >>> 24 == 1 ? " end " : " ") + new String(content, ISO_8859_1);
        }

        @Override
        public void close() throws IOException {
            super.close();
            socket.close();
        }
    }

    private static String webSocket(@Nullable String protocol) {
        return "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
                + (protocol == null ? "" : "\r\nSec-WebSocket-Protocol: " + protocol);
    }

    private static String spdy(String... versions) {
        return "Upgrade: SPDY/3.1"
                + String.join(
                        "",
                        List.of(versions).stream()
                                .map(version -> "\r\nX-Stream-Protocol-Version: " + version)
                                .toList());
    }

    @Test
    void webSocketV5_canCloseTheInput() throws Exception {
        try (Client client = new Client("/all", webSocket("v9.channel.k8s.io, v5.channel.k8s.io"))) {
            assertThat(client.head())
                    .startsWith("HTTP/1.1 101 ")
                    .contains("Sec-WebSocket-Protocol: v5.channel.k8s.io\r\n", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(client.message()).isEqualTo("2:\1");
            client.frame(2, "\0hello");
            assertThat(client.message()).isEqualTo("2:\1hello");
            client.frame(9, "are you there");
            assertThat(client.message()).isEqualTo("10:are you there");
            client.frame(2, "\7for a channel that does not exist");
            client.frame(2, "\u00ff\0");
            assertThat(client.message()).isEqualTo("2:\2e");
            assertThat(client.message()).isEqualTo("2:\3" + SUCCESS);
            assertThat(client.message()).isEqualTo("8:\u0003\u00e8");
        }
    }

    @Test
    void base64_isText_andTheFirstVersionHasTheMessageOfAFailureOnly() throws Exception {
        try (Client client = new Client("/some", webSocket("base64.channel.k8s.io"))) {
            client.head();
            assertThat(client.message()).isEqualTo("1:1");
            client.frame(1, "0aGVsbG8=");
            assertThat(client.message()).isEqualTo("1:1aGVsbG8=");
            client.frame(8, "");
            clientEnded.await();
        }
    }

    @Test
    void spdy_hasAStreamForEachPurpose() throws Exception {
        try (Client client = new Client("/all", spdy("v9.channel.k8s.io", "v4.channel.k8s.io"))) {
            assertThat(client.head())
                    .contains("Upgrade: SPDY/3.1\r\n", "X-Stream-Protocol-Version: v4.channel.k8s.io\r\n");
            client.send(client.stream(1, "streamtype", "error"));
            client.send(client.stream(3, "streamtype", "stdin"));
            client.send(client.stream(5, "streamtype", "stdout"));
            client.send(client.stream(7, "streamtype", "stderr"));
            for (int id = 1; id <= 7; id += 2) {
                assertThat(client.spdyFrame()).isEqualTo("control 2 " + id);
            }
            client.send(client.control(6, new byte[] {0, 0, 0, 42}));
            assertThat(client.spdyFrame()).isEqualTo("control 6 42");
            client.send(client.control(4, new byte[4])); // settings
            client.send(client.data(3, "hello", false));
            assertThat(client.spdyFrame()).isEqualTo("5 hello");
            client.send(client.data(3, "", true));
            assertThat(client.spdyFrame()).isEqualTo("7 e");
            assertThat(client.spdyFrame()).isEqualTo("1 " + SUCCESS);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v9.channel.k8s.io | HTTP/1.1 403 Forbidden",
                "x                 | HTTP/1.1 403 Forbidden",
            })
    void unknownProtocols_areRefused(String protocol, String answer) throws Exception {
        try (Client client = new Client("/all", webSocket(protocol))) {
            assertThat(client.head()).startsWith(answer);
        }
        try (Client client = new Client("/all", spdy(protocol))) {
            assertThat(client.head())
                    .startsWith(answer)
                    .contains("X-Accepted-Stream-Protocol-Versions: v4.channel.k8s.io\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"unmasked, 1002", "reserved, 1002", "base64, 1009", "notBase64, 1002"})
    void webSocketFrameThatIsWrong_closesTheConnection(String kind, int status) throws Exception {
        boolean base64 = kind.endsWith("ase64");
        try (Client client =
                new Client("/some", webSocket(base64 ? "v4.base64.channel.k8s.io" : "v4.channel.k8s.io"))) {
            client.head();
            client.message();
            switch (kind) {
                case "unmasked" -> client.send(new byte[] {(byte) 0x82, 1, 0});
                case "reserved" -> client.send(new byte[] {(byte) 0xf2, (byte) 0x81, 0, 0, 0, 0, 0});
                case "notBase64" -> client.frame(1, "0!!!");
                default -> client.frame(1, "0" + "A".repeat(2 << 20));
            }
            String close = client.message();
            assertThat(close).startsWith("8:");
            assertThat(close.charAt(2) << 8 | close.charAt(3)).isEqualTo(status);
            clientEnded.await();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "truncated",
        "anotherVersion",
        "longControl",
        "evenNumber",
        "sameNumber",
        "bomb",
        "notCompressed",
        "manyHeaders",
        "longHeader",
        "shortFrame"
    })
    void spdyFrameThatIsWrong_endsTheConnection(String kind) throws Exception {
        try (Client client = new Client("/all", spdy("v4.channel.k8s.io"))) {
            client.head();
            byte[] block = client.block(Map.of("streamtype", "error"));
            byte[] frame = switch (kind) {
                case "truncated" -> Arrays.copyOf(client.synStream(1, block), 20);
                case "anotherVersion" -> new byte[] {(byte) 0x80, 2, 0, 1, 0, 0, 0, 0};
                case "longControl" -> new byte[] {(byte) 0x80, 3, 0, 1, 0, (byte) 0xff, (byte) 0xff, (byte) 0xff};
                case "evenNumber" -> client.synStream(2, block);
                case "sameNumber" -> client.synStream(0, block);
                case "bomb" -> client.synStream(1, client.compress(new byte[8 << 20]));
                case "notCompressed" -> client.synStream(1, new byte[100]);
                case "manyHeaders" -> client.synStream(1, client.compress(new byte[] {0, 1, 0, 0}));
                case "longHeader" -> client.synStream(1, client.compress(new byte[] {0, 0, 0, 1, 127, 0, 0, 0}));
                default -> client.control(1, new byte[3]);
            };
            client.send(frame);
            if (kind.equals("truncated")) {
                client.socket.shutdownOutput();
            }
            clientEnded.await();
            assertThat(failures.take()).isEqualTo("the client has not created its streams");
        }
    }

    @Test
    void streamsBeyondALimit_areRefused() throws Exception {
        try (Client client = new Client("/forward", spdy("portforward.k8s.io"))) {
            client.head();
            for (int id = 1; id < 2 * 257; id += 2) {
                client.send(client.stream(id, "streamtype", "error", "requestid", Integer.toString(id)));
                assertThat(client.spdyFrame()).isEqualTo((id < 2 * 256 ? "control 2 " : "control 3 ") + id);
            }
        }
    }

    @Test
    void streamThatTheClientResets_isNotPairedWithALaterOne() throws Exception {
        try (Client client = new Client("/forward", spdy("portforward.k8s.io"))) {
            client.head();
            client.send(client.stream(1, "streamtype", "error", "port", "80", "requestid", "0"));
            client.send(
                    client.control(3, ByteBuffer.allocate(8).putInt(1).putInt(5).array()));
            client.send(client.stream(3, "streamtype", "error", "port", "80", "requestid", "0"));
            client.send(client.stream(5, "streamtype", "data", "port", "80", "requestid", "0"));
            for (int id = 1; id <= 5; id += 2) {
                assertThat(client.spdyFrame()).isEqualTo("control 2 " + id);
            }
            client.send(client.data(5, "ping", true));
            assertThat(client.spdyFrame()).isEqualTo("5 ping");
        }
    }

    @Test
    void forwardedConnections_areSeparate_andAFailureIsReported() throws Exception {
        try (Client client = new Client("/forward", spdy("portforward.k8s.io"))) {
            client.head();
            client.send(client.stream(1, "streamtype", "error", "port", "80", "requestid", "0"));
            client.send(client.stream(3, "streamtype", "data", "port", "80", "requestid", "0"));
            client.send(client.stream(5, "streamtype", "error", "port", "99", "requestid", "1"));
            for (int id = 1; id <= 5; id += 2) {
                assertThat(client.spdyFrame()).isEqualTo("control 2 " + id);
            }
            client.send(client.data(3, "ping", false));
            assertThat(client.spdyFrame()).isEqualTo("3 ping");
            client.send(client.stream(7, "streamtype", "data", "port", "99", "requestid", "1"));
            assertThat(client.spdyFrame()).isEqualTo("control 2 7");
            assertThat(client.spdyFrame()).isEqualTo("5 nothing listens");
            assertThat(client.spdyFrame()).isEqualTo("5 end ");
            assertThat(client.spdyFrame()).isEqualTo("control 3 7");
            client.send(client.data(3, "", true));
            assertThat(List.of(client.spdyFrame(), client.spdyFrame())).containsExactlyInAnyOrder("1 end ", "3 end ");
        }
    }

    @Test
    void spdyInAWebSocket_carriesForwardedConnections() throws Exception {
        try (Client client = new Client("/forward", webSocket("SPDY/3.1+portforward.k8s.io"))) {
            assertThat(client.head()).contains("Sec-WebSocket-Protocol: SPDY/3.1+portforward.k8s.io\r\n");
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            frames.writeBytes(client.stream(1, "streamtype", "error", "port", "80"));
            frames.writeBytes(client.stream(3, "streamtype", "data", "port", "80"));
            frames.writeBytes(client.data(3, "ping", true));
            String text = frames.toString(ISO_8859_1);
            client.frame(2, text.substring(0, 5)); // frames of the two protocols need not coincide
            client.frame(2, text.substring(5));
            assertThat(client.message()).startsWith("2:\u0080\3\0\2");
            assertThat(client.message()).startsWith("2:\u0080\3\0\2");
            assertThat(client.message()).isEqualTo("2:\0\0\0\3\0\0\0\4ping");
        }
    }

    @Test
    void channels_beginWithTheirPort() throws Exception {
        try (Client client = new Client("/forward", webSocket("v4.channel.k8s.io"))) {
            client.head();
            assertThat(client.message()).isEqualTo("2:\0P\0");
            assertThat(client.message()).isEqualTo("2:\1P\0");
            assertThat(client.message()).isEqualTo("2:\2Q\0");
            assertThat(client.message()).isEqualTo("2:\3Q\0");
            client.frame(2, "\2to the second");
            assertThat(client.message()).isEqualTo("2:\2to the second");
            client.frame(2, "\0to the first");
            assertThat(client.message()).isEqualTo("2:\0to the first");
        }
    }

    @Test
    void commandWhoseClientLeaves_reachesTheEndOfItsInput() throws Exception {
        try (Client client = new Client("/some", webSocket(null))) {
            client.head();
            client.message();
        }
        clientEnded.await();
    }
}
