/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.Deflater;

/** The frames of one client of SPDY, whose header blocks share one compression context. */
public class SpdyFrames implements AutoCloseable {

    private final Deflater deflater = new Deflater();

    /** Begins a connection. */
    public SpdyFrames() throws IOException {
        try (var in = SpdyHeaders.class.getResourceAsStream("spdy-dictionary.bin")) {
            deflater.setDictionary(in.readAllBytes());
        }
    }

    byte[] block(Map<String, String> headers) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        number(plain, headers.size());
        headers.forEach((name, value) -> {
            number(plain, name.length());
            plain.writeBytes(name.getBytes(ISO_8859_1));
            number(plain, value.length());
            plain.writeBytes(value.getBytes(ISO_8859_1));
        });
        return compress(plain.toByteArray());
    }

    byte[] compress(byte[] plain) {
        deflater.setInput(plain);
        byte[] block = new byte[1 << 16];
        return Arrays.copyOf(block, deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH));
    }

    private void number(ByteArrayOutputStream out, int value) {
        out.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
    }

    byte[] synStream(int id, byte[] block) {
        return control(
                1,
                ByteBuffer.allocate(10 + block.length)
                        .putInt(id)
                        .putInt(0)
                        .putShort((short) 0)
                        .put(block)
                        .array());
    }

    /** Returns a new stream. */
    public byte[] stream(int id, String... headers) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            map.put(headers[i], headers[i + 1]);
        }
        return synStream(id, block(map));
    }

    byte[] control(int type, byte[] content) {
        return ByteBuffer.allocate(8 + content.length)
                .putInt(0x80030000 | type)
                .putInt(content.length)
                .put(content)
                .array();
    }

    /** Returns bytes of a stream. */
    public byte[] data(int id, String content, boolean last) {
        return ByteBuffer.allocate(8 + content.length())
                .putInt(id)
                .putInt((last ? 1 << 24 : 0) | content.length())
                .put(content.getBytes(ISO_8859_1))
                .array();
    }

    @Override
    public void close() throws IOException {
        deflater.end();
    }
}
