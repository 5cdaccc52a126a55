package io.kubeloop.transport.memory.http.wire;

import java.io.IOException;
import java.io.OutputStream;

/** The way out to a client, which knows for how long it has been blocked. One thread writes at a time; any may ask. */
final class SocketOutput extends OutputStream {

    private static final long NOT_WRITING = Long.MIN_VALUE;

    private final OutputStream out;
    private volatile long since = NOT_WRITING;

    SocketOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        since = System.nanoTime();
        try {
            out.write(bytes, offset, length);
            out.flush();
        } finally {
            since = NOT_WRITING;
        }
    }

    /** Returns whether a write is going on that began before this moment. */
    boolean isBlockedSince(long nanos) {
        long began = since;
        return began != NOT_WRITING && began - nanos < 0;
    }
}
