/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.api.client.request.ErrorBody;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Splits the body of a watch response into frames, for transports whose HTTP library returns an {@link InputStream}.
 * Such a transport only opens the response.
 *
 * <p>A JSON document ends with the brace that closes it. Line breaks and the chunks of the network are ignored. If
 * the response's content type is protocol buffers, each document begins with its length in four bytes. A truncated
 * document is an error, and is never returned.
 */
public final class FramedStream implements ApiStream {

    // F1: only the reading thread uses the buffer and its indexes; close() does not. F2: closed is set before the body
    // is closed, so a reader that the close wakes up sees it.
    private static final int FIRST_BUFFER = 16 << 10;
    private static final int EXCERPT = 64;

    /** The largest array that a JVM supports. */
    private static final int LARGEST_BUFFER = Integer.MAX_VALUE - 8;

    private final String what;
    private final int code;
    private final Map<String, List<String>> headers;
    private final InputStream body;
    private final int maxFrameBytes;
    private final boolean lengths;
    private volatile boolean closed;

    // The current frame is buffer[start, scanned). The bytes that have arrived after it are buffer[scanned, end).
    private byte[] buffer = new byte[FIRST_BUFFER];
    private int start;
    private int scanned;
    private int end;

    private int depth;
    private boolean inString;
    private boolean escaped;

    /**
     * Creates a stream.
     *
     * @param what the request, for messages
     * @param code the response's status code; if it is not 200, the body is the only frame
     * @param headers the headers, with names in lower case
     * @param body the response's body. Its {@code close()} by any thread must end a blocked read. A failed read
     *     should throw a {@link TransportException}; an {@link IOException} becomes {@link Kind#BROKEN}
     * @param maxFrameBytes the largest accepted frame in bytes, at least 1
     */
    public FramedStream(String what, int code, Map<String, List<String>> headers, InputStream body, int maxFrameBytes) {
        if (maxFrameBytes < 1) {
            throw new IllegalArgumentException("maxFrameBytes must be at least 1, got " + maxFrameBytes);
        }
        this.what = what;
        this.code = code;
        this.headers = headers;
        this.body = body;
        this.maxFrameBytes = maxFrameBytes;
        this.lengths = headers.getOrDefault("content-type", List.of()).stream().anyMatch(ApiRequest::isProtobuf);
    }

    @Override
    public int code() {
        return code;
    }

    @Override
    public Map<String, List<String>> headers() {
        return headers;
    }

    @Override
    public byte @Nullable [] next() {
        ByteBuffer frame = nextShared();
        if (frame == null) {
            return null;
        }
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    @Override
    public @Nullable ByteBuffer nextShared() {
        if (closed) {
            return null;
        }
        try {
            ByteBuffer frame = code != 200 ? ByteBuffer.wrap(errorBody()) : lengths ? nextByLength() : nextByBraces();
            if (frame == null || code != 200) {
                close();
            }
            return frame;
        } catch (TransportException e) {
            boolean closedByOthers =
                    e.kind() == Kind.CLOSED && !Thread.currentThread().isInterrupted();
            if (closed || closedByOthers) {
                return null;
            }
            close();
            throw e;
        }
    }

    private @Nullable ByteBuffer nextByLength() {
        while (true) {
            int have = end - start - Integer.BYTES;
            if (have >= 0) {
                long length = ByteBuffer.wrap(buffer, start, Integer.BYTES).getInt() & 0xffffffffL;
                refuseBeyond(maxFrameBytes, length);
                if (length <= have) {
                    int from = start + Integer.BYTES;
                    start = from + (int) length;
                    scanned = start;
                    return ByteBuffer.wrap(buffer, from, (int) length);
                }
            }
            if (!fill(maxFrameBytes + (long) Integer.BYTES)) {
                return null;
            }
        }
    }

    private @Nullable ByteBuffer nextByBraces() {
        while (true) {
            if (depth == 0) {
                skipBlanks();
            }
            while (scanned < end) {
                if (completes(buffer[scanned++])) {
                    refuseBeyond(maxFrameBytes, scanned - start);
                    ByteBuffer frame = ByteBuffer.wrap(buffer, start, scanned - start);
                    start = scanned;
                    return frame;
                }
            }
            if (!fill(maxFrameBytes)) {
                return null;
            }
        }
    }

    private void skipBlanks() {
        while (scanned < end && buffer[scanned] >= 0 && buffer[scanned] <= ' ') {
            scanned++;
        }
        start = scanned;
        if (scanned < end && buffer[scanned] != '{') {
            String excerpt = new String(buffer, scanned, Math.min(EXCERPT, end - scanned), StandardCharsets.UTF_8);
            throw failure(
                    Kind.BROKEN,
                    "expected a JSON object, got \"" + excerpt.replaceAll("\\p{Cntrl}+", " ") + "\"",
                    null);
        }
    }

    private boolean completes(byte b) {
        if (escaped) {
            escaped = false;
        } else if (inString) {
            escaped = b == '\\';
            inString = b != '"';
        } else if (b == '"') {
            inString = true;
        } else if (b == '{') {
            depth++;
        } else if (b == '}') {
            depth--;
        }
        return depth == 0;
    }

    private boolean isInFrame() {
        return lengths ? end > start : depth > 0;
    }

    /** Reads more bytes, unless the limit is reached. Returns false if the response ends between two frames. */
    private boolean fill(long limit) {
        refuseBeyond(limit - 1, end - start);
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        scanned -= start;
        start = 0;
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(2L * end, Math.min(limit, LARGEST_BUFFER)));
        }
        int n = read(buffer, end, buffer.length - end);
        if (n < 0 && isInFrame()) {
            throw failure(Kind.UNEXPECTED_EOF, cutOff(), null);
        }
        end += Math.max(n, 0);
        return n >= 0;
    }

    private int read(byte[] into, int offset, int length) {
        try {
            return body.read(into, offset, length);
        } catch (IOException e) {
            throw failure(
                    isInFrame() ? Kind.UNEXPECTED_EOF : Kind.BROKEN, "the connection broke: " + e.getMessage(), e);
        } catch (TransportException e) {
            throw isInFrame() && e.kind() == Kind.BROKEN ? failure(Kind.UNEXPECTED_EOF, cutOff(), e) : e;
        }
    }

    private String cutOff() {
        return "the stream ended inside a frame, after " + (end - start) + " bytes of it";
    }

    private byte[] errorBody() {
        try {
            return ErrorBody.read(body);
        } catch (IOException e) {
            throw failure(Kind.BROKEN, "the connection broke: " + e.getMessage(), e);
        }
    }

    private void refuseBeyond(long limit, long size) {
        if (size > limit) {
            throw failure(Kind.TOO_LARGE, "a frame is larger than the " + maxFrameBytes + " bytes allowed", null);
        }
    }

    private TransportException failure(Kind kind, String text, @Nullable Throwable cause) {
        return new TransportException(kind, what + ": " + text, cause);
    }

    @Override
    public void close() {
        closed = true;
        try {
            body.close();
        } catch (IOException e) {
            throw failure(Kind.BROKEN, "closing the stream failed: " + e.getMessage(), e);
        }
    }
}
