/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.frame;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of bytes into frames, each of which begins with its length in four bytes, most significant first.
 * Watches in protocol buffers have this form (upstream: {@code apimachinery/pkg/util/framer}). Confined to the thread
 * that reads the stream.
 */
public final class LengthFrameReader {

    private final String what;
    private final BufferedSource source;
    private final long maxFrameBytes;

    public LengthFrameReader(String what, BufferedSource source, long maxFrameBytes) {
        this.what = what;
        this.source = source;
        this.maxFrameBytes = maxFrameBytes;
    }

    /**
     * Returns the next frame, or null at the end of the stream. Blocks until the frame is complete; the timeout of the
     * source limits the wait, and closing the stream or an interrupt ends it.
     *
     * @throws IOException if the connection broke between two frames
     * @throws TransportException if the stream ended inside a frame, or the frame is too large
     */
    public byte @Nullable [] next() throws IOException {
        if (!source.request(1)) {
            return null;
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
        return source.readByteArray(length);
    }
}
