/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.client.TransportException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramedStreamTest {

    private static final List<String> FRAMES = List.of(
            "{\"type\":\"ADDED\",\"object\":{\"a\":[\"}\\\"{\",\"ü🚀\",{}]}}",
            "{}",
            "{\"text\":\"\\\\\\u007b[\\\\\"}",
            "{\"long\":\"" + "x".repeat(40_000) + "\"}");

    private static FramedStream stream(InputStream body) {
        return stream(200, body, 1 << 20);
    }

    private static FramedStream stream(int code, InputStream body, int maxFrameBytes) {
        return new FramedStream("GET /watch", code, Map.of(), body, maxFrameBytes);
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    /** Reads at most as many bytes at a time as the function says. */
    private static InputStream inPieces(byte[] bytes, IntUnaryOperator pieceSize) {
        return new FilterInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return super.read(into, offset, Math.min(length, pieceSize.applyAsInt(length)));
            }
        };
    }

    private static List<String> readAll(FramedStream stream) {
        List<String> frames = new ArrayList<>();
        for (byte[] frame = stream.next(); frame != null; frame = stream.next()) {
            frames.add(new String(frame, UTF_8));
        }
        return frames;
    }

    private static void assertKind(Kind kind, FramedStream stream) {
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(stream::next)
                .withMessageStartingWith("GET /watch: ")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", " \r\n\t\n"})
    void next_whateverSeparatesFrames_givesEachAsItWasWritten(String separator) {
        assertThat(readAll(stream(bytes(String.join(separator, FRAMES) + separator))))
                .isEqualTo(FRAMES);
    }

    @Test
    void next_bytesSplitAnywhere_givesTheSameFrames() {
        byte[] body = String.join("\n", FRAMES).getBytes(UTF_8);
        assertThat(readAll(stream(inPieces(body, length -> 1)))).isEqualTo(FRAMES);
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            assertThat(readAll(stream(inPieces(body, length -> 1 + random.nextInt(random.nextBoolean() ? 9 : 9000)))))
                    .as("seed %d", seed)
                    .isEqualTo(FRAMES);
        }
    }

    @Test
    void next_cutAtEachByte_isAnErrorInsideAFrameAndTheEndBetweenTwo() {
        byte[] frame = FRAMES.get(0).getBytes(UTF_8);
        for (int cut = 0; cut <= frame.length; cut++) {
            FramedStream stream = stream(new ByteArrayInputStream(frame, 0, cut));
            if (cut == 0) {
                assertThat(stream.next()).isNull();
            } else if (cut < frame.length) {
                assertKind(Kind.UNEXPECTED_EOF, stream);
            } else {
                assertThat(stream.next()).isEqualTo(frame);
                assertThat(stream.next()).isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>", "[{}]", "null", "\"{}\"", "}", "{}x"})
    void next_noObject_isRefused(String body) {
        FramedStream stream = stream(bytes(body));
        if (body.startsWith("{}")) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo("{}");
        }
        assertKind(Kind.BROKEN, stream);
        assertThat(stream.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 20_000, 39_999})
    void next_frameBeyondTheBound_isTooLarge(int bound) {
        assertKind(Kind.TOO_LARGE, stream(200, bytes(FRAMES.get(3)), bound));
    }

    @Test
    void next_frameOfExactlyTheBound_isRead() {
        for (String frame : FRAMES) {
            int size = frame.getBytes(UTF_8).length;
            assertThat(readAll(stream(200, bytes(frame + frame), size))).containsExactly(frame, frame);
            assertKind(Kind.TOO_LARGE, stream(200, bytes(frame), Math.max(1, size - 1)));
        }
    }

    @Test
    void next_connectionBreaks_tellsWhetherAFrameWasCut() {
        for (String arrived : List.of("", "{}", "{\"a\":")) {
            InputStream body = new FilterInputStream(bytes(arrived)) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    int n = super.read(into, offset, length);
                    if (n < 0) {
                        throw new IOException("reset");
                    }
                    return n;
                }
            };
            FramedStream stream = stream(body);
            if (arrived.equals("{}")) {
                assertThat(stream.next()).hasSize(2);
            }
            assertKind(arrived.endsWith(":") ? Kind.UNEXPECTED_EOF : Kind.BROKEN, stream);
        }
    }

    @Test
    void next_refusal_isTheBodyAndThenTheEnd() {
        FramedStream stream = stream(403, bytes("no, {"), 2);
        assertThat(stream.next()).asString(UTF_8).isEqualTo("no, {");
        assertThat(stream.next()).isNull();
        assertThat(stream(500, bytes(""), 2).next()).isEmpty();
    }

    @Test
    void next_refusalWithoutEnd_isReadUpToAMebibyte() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }
        };
        assertThat(stream(500, endless, 2).next()).hasSize(1 << 20);
    }

    @Test
    void close_byAnotherThread_endsABlockedNextAndHalfAFrameIsDropped() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        PipedInputStream pipe = new PipedInputStream();
        try (PipedOutputStream out = new PipedOutputStream(pipe)) {
            out.write("{\"a\":".getBytes(UTF_8));
            CountDownLatch closed = new CountDownLatch(1);
            FramedStream stream = stream(new FilterInputStream(pipe) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    if (pipe.available() > 0) {
                        return super.read(into, offset, length);
                    }
                    reading.countDown();
                    try {
                        closed.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return -1;
                }

                @Override
                public void close() {
                    closed.countDown();
                }
            });
            Thread closer = new Thread(() -> {
                try {
                    reading.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                stream.close();
            });
            closer.start();

            assertThat(stream.next()).isNull();
            closer.join();
        }
    }

    @Test
    void constructor_boundBelowOne_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> stream(200, bytes(""), 0));
    }

    private static FramedStream protobuf(InputStream body, int maxFrameBytes) {
        return new FramedStream(
                "GET /watch",
                200,
                Map.of("content-type", List.of("Application/vnd.kubernetes.protobuf;stream=watch")),
                body,
                maxFrameBytes);
    }

    private static byte[] withLengths(List<String> frames) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String frame : frames) {
            byte[] bytes = frame.getBytes(UTF_8);
            out.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void next_inProtobuf_isCutByLengths_howeverTheBytesCome() {
        List<String> frames = new ArrayList<>(FRAMES);
        frames.add("");
        frames.add("{{{ \n");
        int longest = FRAMES.get(3).length();
        byte[] body = withLengths(frames);
        assertThat(readAll(protobuf(inPieces(body, length -> 1), longest))).isEqualTo(frames);
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            assertThat(readAll(protobuf(inPieces(body, length -> 1 + random.nextInt(9000)), longest)))
                    .as("seed %d", seed)
                    .isEqualTo(frames);
        }
    }

    @Test
    void next_inProtobuf_cutAtEachByte_isAnErrorInsideAFrameAndTheEndBetweenTwo() {
        byte[] body = withLengths(List.of("abc"));
        for (int cut = 0; cut <= body.length; cut++) {
            FramedStream stream = protobuf(new ByteArrayInputStream(body, 0, cut), 3);
            if (cut == 0) {
                assertThat(stream.next()).isNull();
            } else if (cut < body.length) {
                assertKind(Kind.UNEXPECTED_EOF, stream);
            } else {
                assertThat(stream.next()).asString(UTF_8).isEqualTo("abc");
                assertThat(stream.next()).isNull();
            }
        }
    }

    @Test
    void next_inProtobuf_aFrameThatIsTooLarge_isRefusedByItsLength() {
        assertKind(Kind.TOO_LARGE, protobuf(new ByteArrayInputStream(new byte[] {0, 0, 0, 4}), 3));
        assertKind(Kind.TOO_LARGE, protobuf(new ByteArrayInputStream(new byte[] {-1, -1, -1, -1}), Integer.MAX_VALUE));
    }
}
