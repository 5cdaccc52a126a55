/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The frames of RFC 6455, byte by byte. */
class WebSocketFramesTest {

    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final WebSocketOutput output = new WebSocketOutput(sent);

    private byte[] answersTo(byte[] input) throws IOException {
        try {
            new WebSocketInput(new ByteArrayInputStream(input), output).discardAll();
        } catch (EOFException e) {
            assertThat(e).hasMessageContaining("within a frame"); // the only failure of a stream in memory
        }
        return sent.toByteArray();
    }

    private static byte[] frame(int first, int lengthByte, byte[] extendedLength, byte[] payload) {
        byte[] mask = {1, 2, 3, 4};
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(first);
        frame.write(MASKED | lengthByte);
        frame.writeBytes(extendedLength);
        frame.writeBytes(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.write(payload[i] ^ mask[i % 4]);
        }
        return frame.toByteArray();
    }

    private static byte[] frame(int first, byte[] payload) {
        return frame(first, payload.length, new byte[0], payload);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"0,2", "125,2", "126,4", "65535,4", "65536,10"})
    void text_hasTheShortestLength(int length, int headBytes) throws IOException {
        output.text(new byte[length]);

        byte[] frame = sent.toByteArray();
        assertThat(frame).hasSize(headBytes + length);
        assertThat(frame[0]).isEqualTo((byte) (FINAL | 1));
        long read = headBytes == 2 ? frame[1] : 0;
        for (int i = 2; i < headBytes; i++) {
            read = read << 8 | (frame[i] & 0xff);
        }
        assertThat(read).isEqualTo(length);
    }

    @Test
    void ping_isAnsweredWithItsPayload_andMessagesAreDiscarded() throws IOException {
        byte[] answers = answersTo(join(
                frame(FINAL | 1, "hello".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                frame(2, new byte[100]),
                frame(FINAL | 9, new byte[] {7, 8, 9, 10, 11}),
                frame(FINAL, new byte[100]),
                frame(FINAL | 10, new byte[0]),
                frame(FINAL | 8, new byte[] {3, (byte) 0xe8})));

        assertThat(answers).containsExactly(FINAL | 10, 5, 7, 8, 9, 10, 11);
    }

    @Test
    void close_isTheLastFrame_andIsSentOnce() throws IOException {
        output.close(WebSocketOutput.NORMAL);
        output.close(WebSocketOutput.PROTOCOL_ERROR);
        output.text(new byte[3]);

        assertThat(sent.toByteArray()).containsExactly(FINAL | 8, 2, 1000 >> 8, 1000 & 0xff);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "81 00", // not masked
                "C1 80 00000000", // a reserved bit
                "80 80 00000000", // a continuation of nothing
                "09 80 00000000", // a ping in parts
                "89 FE 0100 00000000", // a long ping
                "83 80 00000000", // a reserved opcode
                "8B 80 00000000", // a reserved control opcode
                "01 80 00000000 81 80 00000000", // a message inside another
            })
    void violation_isAnsweredWithItsStatus(String hex) throws IOException {
        byte[] answers = answersTo(java.util.HexFormat.of().parseHex(hex.replace(" ", "")));

        assertThat(answers).containsExactly(FINAL | 8, 2, 1002 >> 8, 1002 & 0xff);
    }

    @Test
    void message_thatIsTooLong_isRefusedUnread() throws IOException {
        byte[] negative = {(byte) 0x80, 0, 0, 0, 0, 0, 0, 1};
        assertThat(answersTo(frame(FINAL | 1, 127, negative, new byte[0]))).endsWith(1009 >> 8, 1009 & 0xff);
    }

    @Test
    void randomBytes_neitherFailNorLoop() {
        Random random = new Random(29);
        for (int round = 0; round < 20_000; round++) {
            byte[] input = new byte[random.nextInt(64)];
            random.nextBytes(input);
            if (input.length > 1 && random.nextBoolean()) {
                input[0] = (byte) (FINAL | random.nextInt(11));
                input[1] |= (byte) MASKED;
            }
            assertThatCode(() -> answersTo(input)).doesNotThrowAnyException();
        }
    }
}
