/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.frame;

import io.kubeloop.transport.http.errors.IoErrors;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import okio.Buffer;
import okio.BufferedSource;
import okio.InflaterSource;
import okio.Source;
import okio.Timeout;

/**
 * Decompresses a stream of gzip members while they arrive (RFC 1952; upstream: {@code
 * apiserver/pkg/endpoints/handlers}).
 *
 * <p>kube-apiserver 1.37 ends a member with each flush of a streaming list, so a quiet watch has one for each event.
 * That is why this class exists: Okio's source rejects a second member, and the JDK's stream takes a pause between two
 * for the end. This class returns the bytes of the complete members, and waits for the next member only when its caller
 * reads on.
 *
 * <p>Confined to the thread that reads the stream.
 */
public final class GzipMembers implements Source {

    private static final int MAGIC = 0x1f8b;
    private static final int DEFLATE = 8;

    // Bits of the flags, and what they announce.
    private static final int HAS_CHECKSUM = 1 << 1;
    private static final int HAS_EXTRA = 1 << 2;
    private static final int HAS_NAME = 1 << 3;
    private static final int HAS_COMMENT = 1 << 4;
    private static final int RESERVED = 0xe0;

    /** A name or comment is skipped up to this length, in bytes: no server sends one. */
    private static final int LONGEST_TEXT = 4096;

    private final BufferedSource source;
    private final Inflater inflater = new Inflater(true);
    private final InflaterSource inflated;
    private final CRC32 checksum = new CRC32();
    private final Buffer.UnsafeCursor cursor = new Buffer.UnsafeCursor();
    private boolean inMember;

    /**
     * Makes a source of the content.
     *
     * @param source the compressed bytes; stays open when this source is closed
     */
    public GzipMembers(BufferedSource source) {
        this.source = source;
        this.inflated = new InflaterSource(source, inflater);
    }

    /**
     * Appends some of the content, at least one byte; returns the number, or -1 at an end between two members. Blocks
     * only if no content has arrived.
     *
     * @throws EOFException if the bytes end inside a member
     * @throws IOException if the bytes are not gzip, or the content does not have its checksum or length
     */
    @Override
    public long read(Buffer sink, long byteCount) throws IOException {
        while (byteCount > 0) {
            if (!inMember && !begin()) {
                return -1;
            }
            long count = inflate(sink, byteCount);
            if (count > 0) {
                check(sink, count);
                return count;
            }
            end();
        }
        return 0;
    }

    /** Appends some of the member's content; returns the number of bytes, or -1 at the end of the member. */
    private long inflate(Buffer sink, long byteCount) throws IOException {
        try {
            return inflated.read(sink, byteCount);
        } catch (IOException e) {
            throw e.getCause() instanceof DataFormatException bad ? broken(IoErrors.reason(bad)) : e;
        }
    }

    /** Reads the header of the next member; returns false if there is none. */
    private boolean begin() throws IOException {
        if (source.exhausted()) {
            return false;
        }
        int magic = source.readShort() & 0xffff;
        if (magic != MAGIC) {
            throw broken(String.format("a member begins with %04x", magic));
        }
        int method = source.readByte();
        int flags = source.readByte();
        if (method != DEFLATE || (flags & RESERVED) != 0) {
            throw broken(String.format("a member has the method %02x and the flags %02x", method, flags & 0xff));
        }
        source.skip(6); // time, compression level, operating system
        if ((flags & HAS_EXTRA) != 0) {
            source.skip(source.readShortLe() & 0xffff);
        }
        skipText(flags & HAS_NAME);
        skipText(flags & HAS_COMMENT);
        if ((flags & HAS_CHECKSUM) != 0) {
            source.skip(2);
        }
        inflater.reset();
        checksum.reset();
        inMember = true;
        return true;
    }

    private void skipText(int present) throws IOException {
        if (present != 0) {
            long end = source.indexOf((byte) 0, 0, LONGEST_TEXT);
            if (end < 0) {
                throw broken("the name or comment of a member does not end within " + LONGEST_TEXT + " bytes");
            }
            source.skip(end + 1);
        }
    }

    private void end() throws IOException {
        int sum = source.readIntLe();
        int length = source.readIntLe();
        if (sum != (int) checksum.getValue() || length != (int) inflater.getBytesWritten()) {
            throw broken("a member does not have its checksum or length");
        }
        inMember = false;
    }

    /** Counts the last bytes of the sink in the checksum. */
    private void check(Buffer sink, long count) {
        sink.readUnsafe(cursor);
        try {
            for (int n = cursor.seek(sink.size() - count); n > 0; n = cursor.next()) {
                byte[] data = cursor.data;
                if (data != null) {
                    checksum.update(data, cursor.start, n);
                }
            }
        } finally {
            cursor.close();
        }
    }

    private static IOException broken(String why) {
        return new IOException("bad gzip: " + why);
    }

    @Override
    public Timeout timeout() {
        return source.timeout();
    }

    /** Frees the memory of the decompression. */
    @Override
    public void close() {
        inflater.end();
    }
}
