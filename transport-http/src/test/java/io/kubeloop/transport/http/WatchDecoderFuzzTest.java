/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.frame.WatchFrameReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import okio.Buffer;
import okio.Okio;
import okio.Source;
import okio.Timeout;

/**
 * Reads random bytes as a watch: the result is complete frames or a transport exception, independent of how the bytes
 * are split. The inputs that fuzzing has found are beside this class; KeptInputsTest runs them with every build.
 */
class WatchDecoderFuzzTest {

    private static final int LARGEST_FRAME = 2000;
    private static final JsonCodec CODEC = JsonCodec.standard();

    /** The result; the problem is empty for a regular end. */
    private record Outcome(List<String> frames, String problem) {}

    @FuzzTest(maxDuration = "3m")
    void next_anyBytesInAnyPieces_yieldsTheSame(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        int piece = 1 + (input[0] & 0x0f);
        Buffer bytes = new Buffer().write(input, 1, input.length - 1);

        Outcome whole = read(bytes.clone(), Long.MAX_VALUE);
        Outcome pieces = read(bytes.clone(), piece);

        assertThat(pieces.frames()).isEqualTo(whole.frames());
        assertThat(pieces.problem()).isEqualTo(whole.problem());
        // The frames equal the input without the blanks between them: nothing is lost or invented.
        String joined = String.join("", whole.frames());
        String rest = bytes.readString(java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(withoutBlanks(rest)).startsWith(withoutBlanks(joined));
    }

    @FuzzTest(maxDuration = "3m")
    void decodeEvent_anyBytes_yieldAnEventOrADecodeException(byte[] frame) {
        try {
            assertThat(CODEC.decodeEvent(ResourceTypes.PODS, frame)).isNotNull();
        } catch (DecodeException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    private static String withoutBlanks(String text) {
        return text.replaceAll("[ \n\r\t]", "");
    }

    private static Outcome read(Buffer bytes, long piece) throws IOException {
        WatchFrameReader reader = new WatchFrameReader("watch", Okio.buffer(new Pieces(bytes, piece)), LARGEST_FRAME);
        List<String> frames = new ArrayList<>();
        try {
            for (byte[] frame = reader.next(); frame != null; frame = reader.next()) {
                assertThat(frame).startsWith('{').hasSizeLessThanOrEqualTo(LARGEST_FRAME);
                checkEnd(frame);
                frames.add(new String(frame, java.nio.charset.StandardCharsets.ISO_8859_1));
            }
            return new Outcome(frames, "");
        } catch (TransportException e) {
            return new Outcome(frames, e.kind().name());
        }
    }

    /** The reader does not distinguish braces from brackets; the JSON parser rejects what it lets pass. */
    private static void checkEnd(byte[] frame) {
        if (frame[frame.length - 1] != '}') {
            assertThat(frame).endsWith(']');
            assertThatThrownBy(() -> CODEC.decodeEvent(ResourceTypes.PODS, frame))
                    .isInstanceOf(DecodeException.class);
        }
    }

    /** Returns at most this number of bytes at a time. */
    private record Pieces(Buffer bytes, long most) implements Source {

        @Override
        public long read(Buffer sink, long byteCount) {
            return bytes.read(sink, Math.min(byteCount, most));
        }

        @Override
        public Timeout timeout() {
            return Timeout.NONE;
        }

        @Override
        public void close() {}
    }
}
