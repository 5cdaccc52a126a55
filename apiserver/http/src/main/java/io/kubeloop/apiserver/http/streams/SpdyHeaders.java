/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The compressed header blocks of a SPDY connection (SPDY/3.1, 2.6.10). All blocks of a direction share one compression
 * context, so every block must pass through it in order. Reading and writing may use two threads; each direction
 * is confined to one at a time.
 */
final class SpdyHeaders implements AutoCloseable {

    /** The most bytes of a decompressed block. */
    static final int LONGEST_BLOCK = 64 << 10;

    private static final int MOST_HEADERS = 200;

    /** The headers that a server of streams reads. It keeps no others. */
    private static final Set<String> READ = Set.of("streamtype", "port", "requestid");

    private static final byte[] DICTIONARY = dictionary();

    private final Inflater inflater = new Inflater();
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);

    SpdyHeaders() {
        deflater.setDictionary(DICTIONARY);
    }

    private static byte[] dictionary() {
        try (InputStream in = SpdyHeaders.class.getResourceAsStream("spdy-dictionary.bin")) {
            if (in == null) {
                throw new IllegalStateException("spdy-dictionary.bin is missing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read spdy-dictionary.bin", e);
        }
    }

    /**
     * Decompresses a block.
     *
     * @return the values of the headers that the server reads, by lower-case name
     * @throws IOException if the block is malformed or too large
     */
    Map<String, String> read(byte[] block) throws IOException {
        return parse(ByteBuffer.wrap(inflate(block)));
    }

    private byte[] inflate(byte[] block) throws IOException {
        ByteArrayOutputStream inflated = new ByteArrayOutputStream();
        byte[] piece = new byte[4 << 10];
        inflater.setInput(block);
        try {
            int n = 1;
            while (n > 0) {
                n = inflater.inflate(piece);
                if (n == 0 && inflater.needsDictionary()) {
                    inflater.setDictionary(DICTIONARY);
                    n = inflater.inflate(piece);
                }
                if (inflated.size() + n > LONGEST_BLOCK) {
                    throw new IOException("a header block is too large");
                }
                inflated.write(piece, 0, n);
            }
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new IOException("a header block is malformed: " + e.getMessage(), e);
        }
        return inflated.toByteArray();
    }

    private static Map<String, String> parse(ByteBuffer block) throws IOException {
        int count = number(block);
        if (count > MOST_HEADERS) {
            throw new IOException("a header block has too many headers");
        }
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < count; i++) {
            String name = text(block).toLowerCase(Locale.ROOT);
            String value = text(block);
            if (READ.contains(name)) {
                headers.put(name, value);
            }
        }
        return headers;
    }

    private static String text(ByteBuffer block) throws IOException {
        int length = number(block);
        if (length > block.remaining()) {
            throw new IOException("a header block is truncated");
        }
        byte[] text = new byte[length];
        block.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static int number(ByteBuffer block) throws IOException {
        if (block.remaining() < Integer.BYTES) {
            throw new IOException("a header block is truncated");
        }
        int number = block.getInt();
        if (number < 0) {
            throw new IOException("a header block has a negative length");
        }
        return number;
    }

    /** Compresses a block without headers, the only one that a server of streams needs. */
    byte[] empty() {
        deflater.setInput(new byte[Integer.BYTES]);
        byte[] block = new byte[64];
        int n = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
        return Arrays.copyOf(block, n);
    }

    @Override
    public void close() {
        inflater.end();
        deflater.end();
    }
}
