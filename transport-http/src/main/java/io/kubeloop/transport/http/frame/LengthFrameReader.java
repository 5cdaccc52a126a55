/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.frame;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of bytes into frames, each of which begins with its length in four bytes, most significant first.
 * Watches in protocol buffers have this form (upstream: {@code apimachinery/pkg/util/framer}). Confined to the thread
 * that reads the stream.
 */
public final class LengthFrameReader {

    private static final int FIRST_BUFFER = 16 << 10;

    /** A buffer of at most this size is kept. */
    private static final int LARGEST_KEPT = 1 << 20;

    /** Bytes behind a frame, so a decoder can look at eight bytes at a time. */
    private static final int SLACK = Long.BYTES;

    private final String what;
    private final BufferedSource source;
    private final long maxFrameBytes;

    /** Holds one frame, and is used for the next one. */
    private byte[] buffer = new byte[FIRST_BUFFER];

    public LengthFrameReader(String what, BufferedSource source, long maxFrameBytes) {
        this.what = what;
        this.source = source;
        this.maxFrameBytes = maxFrameBytes;
    }

    /**
     * Returns the next frame in a buffer that the next call reuses, or null at the end of the stream. Blocks until the
     * frame is complete; the timeout of the source limits the wait, and closing the stream or an interrupt ends it.
     *
     * @throws IOException if the connection broke between two frames
     * @throws TransportException if the stream ended inside a frame, or the frame is too large
     */
    public @Nullable ByteBuffer nextShared() throws IOException {
        if (source.getBuffer().size() == 0) {
            // As in WatchFrameReader: into a buffer that has a byte, okio copies a chunk and shares no segment.
            source.getBuffer().writeByte(0);
            if (!source.request(2)) {
                source.getBuffer().clear();
                return null;
            }
            source.getBuffer().skip(1);
        }
        FrameBytes.await(source, Integer.BYTES, what);
        long length = source.readInt() & 0xffffffffL;
        if (length > maxFrameBytes) {
            throw new TransportException(
                    Kind.TOO_LARGE,
                    what + ": a frame of " + length + " bytes is larger than the " + maxFrameBytes + " allowed",
                    null);
        }
        FrameBytes.await(source, length, what);
        int size = Math.toIntExact(length);
        if (buffer.length < size + SLACK || buffer.length > LARGEST_KEPT) {
            buffer = new byte[Math.max(FIRST_BUFFER, size + size / 4 + SLACK)];
        }
        for (int at = 0; at < size; ) {
            at += source.read(buffer, at, size - at);
        }
        return ByteBuffer.wrap(buffer, 0, size);
    }
}
