/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.TransportException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import okio.Buffer;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchFrameReaderTest {

    private static final List<String> FRAMES = List.of(
            "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}",
            "{\"type\":\"MODIFIED\",\"object\":{\"note\":\"braces } ] in { [ a string, \\\" and \\\\\"}}",
            "{\n  \"type\": \"DELETED\",\n  \"object\": {\n    \"list\": [1, [2, {\"x\": null}], \"}\"]\n  }\n}",
            "{\"text\":\"Grüße, 世界, 🚀, \\u007d, \\\\\\\"}\"}",
            "{}");

    /** Returns its bytes in pieces of a given size. */
    private static final class Pieces implements Source {

        private final Buffer bytes;
        private final Random random;
        private final int largest;

        Pieces(byte[] bytes, int largest, long seed) {
            this.bytes = new Buffer().write(bytes);
            this.largest = largest;
            this.random = new Random(seed);
        }

        @Override
        public long read(Buffer sink, long byteCount) {
            return bytes.read(sink, Math.min(byteCount, 1 + random.nextInt(largest)));
        }

        @Override
        public Timeout timeout() {
            return Timeout.NONE;
        }

        @Override
        public void close() {}
    }

    private static WatchFrameReader reader(byte[] bytes, int largestPiece, long seed) {
        return new WatchFrameReader("watch", Okio.buffer(new Pieces(bytes, largestPiece, seed)), 1 << 20);
    }

    private static List<String> readAll(WatchFrameReader reader) throws IOException {
        List<String> frames = new ArrayList<>();
        for (byte[] frame = reader.next(); frame != null; frame = reader.next()) {
            frames.add(new String(frame, UTF_8));
        }
        return frames;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n", " \n\t "})
    void next_anySeparatorAndAnySplit_yieldsEveryDocumentWhole(String separator) throws IOException {
        // SW-02
        byte[] bytes = (separator + String.join(separator, FRAMES) + separator).getBytes(UTF_8);
        for (int largest : new int[] {1, 2, 7, 4096}) {
            for (int seed = 0; seed < 20; seed++) {
                assertThat(readAll(reader(bytes, largest, seed))).isEqualTo(FRAMES);
            }
        }
    }

    @Test
    void next_documentsAcrossSegments_yieldsThemWhole() throws IOException {
        List<String> frames = new ArrayList<>();
        for (int size = 8180; size < 8200; size++) {
            frames.add("{\"pad\":\"" + "\\\"".repeat(size / 2) + "x".repeat(size % 2) + "é\"}");
        }
        assertThat(readAll(reader(String.join("\n", frames).getBytes(UTF_8), 100_000, 1)))
                .isEqualTo(frames);
    }

    @Test
    void next_truncatedAtEveryByte_neverYieldsHalfADocument() throws IOException {
        byte[] bytes = String.join("\n", FRAMES).getBytes(UTF_8);
        int complete = 0;
        for (int length = 0; length <= bytes.length; length++) {
            Buffer cut = new Buffer().write(bytes, 0, length);
            WatchFrameReader reader = new WatchFrameReader("watch", cut, 1 << 20);
            List<String> frames = new ArrayList<>();
            try {
                for (byte[] frame = reader.next(); frame != null; frame = reader.next()) {
                    frames.add(new String(frame, UTF_8));
                }
                complete++;
            } catch (TransportException e) {
                assertThat(e.kind()).isEqualTo(TransportException.Kind.UNEXPECTED_EOF);
            }
            assertThat(frames).isEqualTo(FRAMES.subList(0, frames.size()));
        }
        // Regular ends: an empty stream, before and after each of the four line breaks, and the end.
        assertThat(complete).isEqualTo(1 + 2 * (FRAMES.size() - 1) + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>oops", "null", "[{}]", "}", "\"text\""})
    void next_somethingThatIsNoObject_isRefusedWithAnExcerpt(String garbage) {
        assertThatThrownBy(() -> reader(garbage.getBytes(UTF_8), 4096, 1).next())
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.BROKEN))
                .hasMessageContaining("expected a JSON object, got \"" + garbage);
    }

    @Test
    void next_frameBeyondTheBound_isRefusedBeforeItIsHeld() {
        // SW-02
        byte[] endless = ("{\"a\":\"" + "x".repeat(500_000)).getBytes(UTF_8);
        Pieces source = new Pieces(endless, 1024, 1);
        WatchFrameReader reader = new WatchFrameReader("watch", Okio.buffer(source), 10_000);

        assertThatThrownBy(reader::next)
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TOO_LARGE))
                .hasMessageContaining("10000 bytes");
        assertThat(source.bytes.size()).isGreaterThan(480_000);
    }

    @Test
    void next_frameOfExactlyTheBound_isAccepted() throws IOException {
        String frame = "{\"a\":\"" + "x".repeat(92) + "\"}";
        Buffer twice = new Buffer().writeUtf8(frame).writeUtf8(frame);
        WatchFrameReader reader = new WatchFrameReader("watch", twice, frame.length());

        assertThat(readAll(reader)).containsExactly(frame, frame);
        assertThatThrownBy(
                        () -> new WatchFrameReader("watch", new Buffer().writeUtf8(frame), frame.length() - 1).next())
                .hasMessageContaining("larger than");
    }
}
