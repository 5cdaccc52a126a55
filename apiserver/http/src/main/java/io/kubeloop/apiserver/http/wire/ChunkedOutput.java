/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a body in chunks: one for each flush and for each full buffer. Not thread-safe. */
final class ChunkedOutput extends OutputStream {

    private static final byte[] LAST = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int SIZE_LINE = 10;
    private static final int CAPACITY = 16 << 10;

    private final OutputStream out;
    private final Runnable completed;
    private final byte[] buffer = new byte[SIZE_LINE + CAPACITY + 2];
    private int filled;
    private boolean closed;

    /**
     * Creates a body.
     *
     * @param completed runs after the last chunk has been sent
     */
    ChunkedOutput(OutputStream out, Runnable completed) {
        this.out = out;
        this.completed = completed;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        int left = length;
        while (left > 0) {
            int n = Math.min(left, CAPACITY - filled);
            System.arraycopy(bytes, from, buffer, SIZE_LINE + filled, n);
            filled += n;
            from += n;
            left -= n;
            if (filled == CAPACITY) {
                flush();
            }
        }
    }

    /** Sends the buffered bytes as one chunk, in a single write. */
    @Override
    public void flush() throws IOException {
        if (filled == 0) {
            return;
        }
        byte[] size = (Integer.toHexString(filled) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        int start = SIZE_LINE - size.length;
        System.arraycopy(size, 0, buffer, start, size.length);
        buffer[SIZE_LINE + filled] = '\r';
        buffer[SIZE_LINE + filled + 1] = '\n';
        int length = size.length + filled + 2;
        filled = 0;
        out.write(buffer, start, length);
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            flush();
            out.write(LAST);
            completed.run();
        }
    }
}
