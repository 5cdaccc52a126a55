/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import com.google.re2j.Pattern;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a message, with a known length, in chunks, or up to the end of the connection (RFC 9112, 6 and 7).
 * Confined to the connection's thread.
 */
final class MessageBody extends InputStream {

    private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9A-Fa-f]{1,15}");
    /** The length of a response that ends with its connection. */
    static final long UNTIL_CLOSE = Long.MAX_VALUE;

    private static final int MAX_LINE = 4096;

    /** The most characters of chunk extensions in one body; nothing reads them. */
    private static final int MAX_EXTENSIONS = 64 * 1024;

    private final SocketInput in;
    private final ContinueSender continueSender;
    private final boolean chunked;
    private boolean continueSent;
    private int extensions;
    private boolean ended;

    /** The unread bytes of the body, or of the current chunk. */
    private long left;

    /** Sends {@code 100 Continue} to a client that waits for it before it sends its body. */
    interface ContinueSender {
        void send() throws IOException;
    }

    MessageBody(SocketInput in, long length, ContinueSender continueSender) {
        this.in = in;
        this.continueSender = continueSender;
        this.chunked = length == RequestHead.CHUNKED;
        this.left = chunked ? 0 : length;
        this.ended = length == 0;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (ended || length == 0) {
            return ended ? -1 : 0;
        }
        if (!continueSent) {
            continueSent = true;
            continueSender.send();
        }
        if (chunked && left == 0) {
            left = chunkSize();
            if (left == 0) {
                skipTrailers();
                ended = true;
                return -1;
            }
        }
        int n = in.read(into, offset, (int) Math.min(length, left));
        if (n < 0 && left == UNTIL_CLOSE) {
            ended = true;
            return -1;
        }
        if (n < 0) {
            throw new EOFException("the connection closed within a body");
        }
        left -= left == UNTIL_CLOSE ? 0 : n;
        if (left == 0) {
            if (chunked) {
                requireEmpty(line());
            } else {
                ended = true;
            }
        }
        return n;
    }

    /** Returns whether the whole body has been read, so the next request follows. */
    boolean isEnded() {
        return ended;
    }

    private long chunkSize() throws IOException {
        String line = line();
        int extension = line.indexOf(';');
        extensions += extension < 0 ? 0 : line.length() - extension;
        if (extensions > MAX_EXTENSIONS) {
            throw new MalformedRequestException(400, "the extensions of the chunks are too long");
        }
        String whole = RequestHead.value(line, 0); // rejects control characters
        String size = extension < 0 ? line : RequestHead.value(whole.substring(0, whole.indexOf(';')), 0);
        if (!CHUNK_SIZE.matcher(size).matches()) {
            throw new MalformedRequestException(400, "malformed chunk");
        }
        return Long.parseLong(size, 16);
    }

    private void skipTrailers() throws IOException {
        int lines = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (++lines > 100) {
                throw new MalformedRequestException(400, "too many trailers");
            }
            if (line.indexOf(':') < 1) {
                throw new MalformedRequestException(400, "malformed trailer");
            }
            RequestHead.value(line, 0); // rejects control characters
        }
    }

    private static void requireEmpty(String line) throws MalformedRequestException {
        if (!line.isEmpty()) {
            throw new MalformedRequestException(400, "a chunk is longer than its declared size");
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection closed within a body");
            }
            if (line.length() > MAX_LINE) {
                throw new MalformedRequestException(400, "a line between chunks is too long");
            }
            line.append((char) b);
        }
        int end = line.length() - 1;
        if (end < 0 || line.charAt(end) != '\r') {
            throw new MalformedRequestException(400, "a line between chunks does not end in CRLF");
        }
        return line.substring(0, end);
    }
}
