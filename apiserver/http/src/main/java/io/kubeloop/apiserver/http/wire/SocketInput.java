/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.IOException;
import java.io.InputStream;

/** Buffers the input from a client. Confined to the connection's thread. */
final class SocketInput {

    private final InputStream in;
    private final byte[] buffer = new byte[8 << 10];
    private int next;
    private int filled;

    SocketInput(InputStream in) {
        this.in = in;
    }

    /** Blocks until a byte is available; returns false at the end of the input. */
    boolean hasMore() throws IOException {
        if (next == filled) {
            next = 0;
            filled = 0; // in case the read fails
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
