package io.kubeloop.transport.memory.http.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * What a client sends, with a deadline for all of it: a time-out of single reads would be content with a byte now and then.
 * Confined to the connection's thread.
 */
final class SocketInput {

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[8 << 10];
    private int next;
    private int filled;
    private long deadline;

    SocketInput(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    /** Sets how long the reads from here on may take together. */
    void allow(Duration time) {
        deadline = System.nanoTime() + time.toNanos();
    }

    /** Waits for a byte; returns false where the client has sent its last. */
    boolean hasMore() throws IOException {
        if (next == filled) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException("the client was too slow");
            }
            socket.setSoTimeout((int) Math.max(1, Math.min(Integer.MAX_VALUE, left / 1_000_000)));
            next = 0;
            filled = Math.max(0, in.read(buffer));
        }
        return next < filled;
    }

    /** Returns the next byte, or -1. */
    int read() throws IOException {
        return hasMore() ? buffer[next++] & 0xff : -1;
    }

    /** Reads at least one byte, or returns -1. */
    int read(byte[] into, int offset, int length) throws IOException {
        if (!hasMore()) {
            return -1;
        }
        int n = Math.min(length, filled - next);
        System.arraycopy(buffer, next, into, offset, n);
        next += n;
        return n;
    }
}
