package io.kubeloop.apiserver.http.wire;

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
 * The TCP connection of one client, with time limits. The limits apply below TLS, so that they also cover the
 * handshake and the records. One deadline covers all reads of a request; a timeout per read would allow a client
 * that sends one byte at a time. For writes, the socket reports how long the current write has been blocked.
 */
final class ClientSocket extends Socket {

    private static final long NOT_WRITING = Long.MIN_VALUE;

    /** Writes are split, so that a slow reader can be distinguished from a client that does not read at all. */
    private static final int PIECE = 32 << 10;

    // One thread reads at a time and one thread writes; any thread may query or close. TLS ensures this with its
    // own locks.
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

    /** Sets the deadline of all following reads together. */
    void allow(Duration time) {
        deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(time);
    }

    /** Returns whether a write is blocked that began before the given {@link System#nanoTime()}. */
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
