/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A streamed response: a sequence of frames, each one JSON document, such as the events of a watch.
 *
 * <p>One thread reads. Any thread can call {@link #close()}, which ends a blocked {@link #next()} at once.
 */
public interface ApiStream extends AutoCloseable {

    /**
     * Returns the HTTP status code. If it is 200, the frames are watch events. Otherwise the only frame is the body of
     * the error response.
     */
    int code();

    /** Returns the headers, with names in lower case. */
    Map<String, List<String>> headers();

    /**
     * Returns the next frame, or null if the server ended the stream properly or {@link #close()} was called. Blocks
     * until a complete frame has arrived, the stream ends or the request's deadline passes. An interrupt ends the wait
     * with a {@link TransportException} of kind {@code CLOSED}; the stream is closed, and the thread stays interrupted.
     *
     * @return the bytes of exactly one JSON document; they belong to the caller
     * @throws TransportException if the connection broke, a frame was truncated ({@code UNEXPECTED_EOF}) or too large,
     *     the deadline passed, or the thread was interrupted
     */
    byte @Nullable [] next();

    /**
     * Returns the next frame as {@link #next()} does, in a buffer that the stream may reuse. The default implementation
     * returns a new buffer.
     *
     * @return a buffer with a backing array; its remaining bytes are valid until the next frame is requested
     */
    default @Nullable ByteBuffer nextShared() {
        byte[] frame = next();
        return frame == null ? null : ByteBuffer.wrap(frame);
    }

    /**
     * Ends the stream and frees its connection. Does not block. Any thread can call it, and repeated calls have no
     * effect.
     */
    @Override
    void close();
}
