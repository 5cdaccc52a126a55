/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GzipMembersTest {

    private static byte[] member(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private static byte[] member(String content) throws IOException {
        return member(content.getBytes(UTF_8));
    }

    private static byte[] content(byte[] bytes) throws IOException {
        try (BufferedSource content = Okio.buffer(new GzipMembers(new Buffer().write(bytes)))) {
            return content.readByteArray();
        }
    }

    /** Returns its bytes in pieces of a random size. A read after the last one fails: on a socket it would block. */
    private static Source endless(byte[] bytes, Random random, int largest) {
        Buffer left = new Buffer().write(bytes);
        return new Source() {
            @Override
            public long read(Buffer sink, long byteCount) {
                if (left.exhausted()) {
                    throw new AssertionError("read more than has arrived");
                }
                return left.read(sink, Math.min(byteCount, 1 + random.nextInt(largest)));
            }

            @Override
            public Timeout timeout() {
                return Timeout.NONE;
            }

            @Override
            public void close() {}
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000, 100_000})
    void read_membersInPieces_isTheContentAndDoesNotWaitForMore(int largest) throws IOException {
        Random random = new Random(largest);
        Buffer packed = new Buffer();
        Buffer wanted = new Buffer();
        for (int i = 0; i < 100; i++) {
            byte[] content = new byte[random.nextInt(i % 10 == 0 ? 30_000 : 300)];
            for (int j = 0; j < content.length; j++) {
                content[j] = (byte) ('a' + random.nextInt(1 + i % 20));
            }
            packed.write(member(content));
            wanted.write(content);
        }
        packed.write(member("last"));
        wanted.writeUtf8("last");

        BufferedSource content =
                Okio.buffer(new GzipMembers(Okio.buffer(endless(packed.readByteArray(), random, largest))));

        long size = wanted.size();
        assertThat(content.readByteArray(size)).isEqualTo(wanted.readByteArray());
    }

    @Test
    void read_flushedMemberThatGoesOn_returnsWhatWasFlushed() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes, 512, true)) {
            out.write("{\"type\":\"ADDED\"}".getBytes(UTF_8));
            out.flush();
            byte[] flushed = bytes.toByteArray();

            BufferedSource content =
                    Okio.buffer(new GzipMembers(Okio.buffer(endless(flushed, new Random(1), flushed.length))));

            assertThat(content.readUtf8(16)).isEqualTo("{\"type\":\"ADDED\"}");
        }
    }

    @Test
    void read_headerWithAllParts_skipsThem() throws IOException {
        byte[] plain = member("content");
        Buffer packed = new Buffer().write(plain, 0, 3).writeByte(0x1f).write(plain, 4, 6);
        packed.writeShortLe(3)
                .writeUtf8("xyz")
                .writeUtf8("name")
                .writeByte(0)
                .writeUtf8("comment")
                .writeByte(0);
        packed.writeShort(0).write(plain, 10, plain.length - 10);

        assertThat(content(packed.readByteArray())).asString(UTF_8).isEqualTo("content");
    }

    @Test
    void read_membersWithoutContent_areSkipped() throws IOException {
        Buffer packed = new Buffer()
                .write(member(""))
                .write(member("a"))
                .write(member(""))
                .write(member(""));

        assertThat(content(packed.readByteArray())).asString(UTF_8).isEqualTo("a");
        assertThat(content(new byte[0])).isEmpty();
    }

    @Test
    void read_endInsideAMember_isAnEarlyEnd() throws IOException {
        byte[] packed = member("some content, some content");
        byte[] two = new Buffer().write(packed).write(packed).readByteArray();
        for (int length = 1; length < two.length; length++) {
            byte[] cut = Arrays.copyOf(two, length);
            if (length != packed.length) {
                assertThatThrownBy(() -> content(cut)).as("%d bytes", length).isInstanceOf(EOFException.class);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x7b, a member begins with 7b8b",
        "2, 0x07, a member has the method 07 and the flags 00",
        "3, 0x20, a member has the method 08 and the flags 20",
        "10, 0x07, invalid block type",
        "-8, 0x00, a member does not have its checksum or length",
        "-4, 0x00, a member does not have its checksum or length"
    })
    void read_wrongByte_isBroken(int position, String value, String message) throws IOException {
        byte[] packed = member("content");
        packed[position < 0 ? packed.length + position : position] = (byte) (int) Integer.decode(value);

        assertThatThrownBy(() -> content(packed))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(EOFException.class)
                .hasMessage("bad gzip: " + message);
    }

    @Test
    void read_nameWithoutEnd_isBrokenBeforeItFillsTheMemory() throws IOException {
        byte[] plain = member("content");
        Buffer packed =
                new Buffer().write(plain, 0, 3).writeByte(8).write(plain, 4, 6).write(new byte[] {'n'});
        packed.writeUtf8("n".repeat(5000));

        assertThatThrownBy(() -> content(packed.readByteArray()))
                .isInstanceOf(IOException.class)
                .hasMessage("bad gzip: the name or comment of a member does not end within 4096 bytes");
    }
}
