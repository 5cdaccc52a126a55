package io.kubeloop.transport.memory.http.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The TCP connection of one client, bounded where the bytes come and go: below TLS, too, whose handshake and records would
 * otherwise have bounds of nobody's. What a client sends has one deadline for all of it, as a time-out of single reads would
 * be content with a byte now and then; what is written to it tells for how long it has been blocked.
 */
final class ClientSocket extends Socket {

    private static final long NOT_WRITING = Long.MIN_VALUE;

    /** So that a client that reads slowly, but reads, is told from one that does not. */
    private static final int PIECE = 32 << 10;

    // One thread reads at a time and one writes; any may ask or close. TLS sees to that by locks of its own.
    private volatile long deadline;
    private volatile long since = NOT_WRITING;

    private ClientSocket() throws IOException {
        super((SocketImpl) null);
    }

    /** Accepts connections as client sockets. */
    static final class Listener extends ServerSocket {

        Listener() throws IOException {
            super();
        }

        @Override
        public ClientSocket accept() throws IOException {
            ClientSocket socket = new ClientSocket();
            implAccept(socket);
            return socket;
        }
    }

    /** Sets how long the reads from here on may take together. */
    void allow(Duration time) {
        deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(time);
    }

    /** Returns whether a write is going on that began before this moment. */
    boolean isBlockedSince(long nanos) {
        long began = since;
        return began != NOT_WRITING && began - nanos < 0;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new SocketTimeoutException("the client was too slow");
                }
                setSoTimeout((int) Math.max(1, Math.min(Integer.MAX_VALUE, left / 1_000_000)));
                return super.read(into, offset, length);
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        OutputStream out = super.getOutputStream();
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                try {
                    for (int sent = 0; sent < length; sent += PIECE) {
                        since = System.nanoTime();
                        out.write(bytes, offset + sent, Math.min(PIECE, length - sent));
                    }
                } finally {
                    since = NOT_WRITING;
                }
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }
}
