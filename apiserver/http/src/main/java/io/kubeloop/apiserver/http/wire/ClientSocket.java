/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import jdk.net.ExtendedSocketOptions;

/**
 * The TCP connection of one client, with time limits. The limits apply below TLS, so they also cover the
 * handshake and the records. One deadline covers all reads of a request; a timeout per read would allow a client
 * that sends one byte at a time. For writes, the socket reports how long the current write has been blocked.
 */
final class ClientSocket extends Socket {

    private static final long NOT_WRITING = Long.MIN_VALUE;

    /** Writes are split, so a slow reader can be distinguished from a client that does not read at all. */
    private static final int PIECE = 32 << 10;

    /** The keep-alive probes of upstream's listener: the first after 15 s, then every 15 s, 9 before the end. */
    private static final int KEEP_ALIVE_SECONDS = 15;

    private static final int KEEP_ALIVE_PROBES = 9;

    /** The bytes that {@link #hasEnded} keeps for the next reader; enough for the closing message of TLS. */
    private static final int AHEAD = 512;

    /*
     * One thread reads at a time and one thread writes; any thread may query or close. TLS ensures this with its own
     * locks. The read lock also guards the input: hasEnded() reads ahead on another thread. A reader holds the lock
     * while it is blocked, and hasEnded() then returns at once.
     */

    private final ReentrantLock readLock = new ReentrantLock();

    @GuardedBy("readLock")
    private final byte[] ahead = new byte[AHEAD];

    @GuardedBy("readLock")
    private int aheadNext;

    @GuardedBy("readLock")
    private int aheadFilled;

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

    /** Makes the operating system detect a peer that has vanished without a word. */
    void keepAlive() throws IOException {
        setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
            setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_SECONDS);
            setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_PROBES);
        }
    }

    /**
     * Returns whether the client has closed its side of the connection or the connection has failed. Sends nothing.
     * Blocks for at most 1 ms. Returns false while another thread reads, and after the client has sent many bytes that
     * have not been read.
     */
    boolean hasEnded() {
        if (!readLock.tryLock()) {
            return false;
        }
        try {
            if (aheadFilled == AHEAD) {
                return false;
            }
            setSoTimeout(1);
            int n = super.getInputStream().read(ahead, aheadFilled, AHEAD - aheadFilled);
            aheadFilled += Math.max(0, n);
            return n < 0;
        } catch (SocketTimeoutException e) {
            return false; // an open connection without input, the usual case
        } catch (IOException e) {
            return true;
        } finally {
            readLock.unlock();
        }
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
                readLock.lock();
                try {
                    return aheadNext < aheadFilled ? readAhead(into, offset, length) : await(into, offset, length);
                } finally {
                    readLock.unlock();
                }
            }

            private int await(byte[] into, int offset, int length) throws IOException {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new SocketTimeoutException("the client was too slow");
                }
                setSoTimeout((int) Math.max(1, Math.min(Integer.MAX_VALUE, left / 1_000_000)));
                return super.read(into, offset, length);
            }
        };
    }

    @GuardedBy("readLock")
    private int readAhead(byte[] into, int offset, int length) {
        int n = Math.min(length, aheadFilled - aheadNext);
        System.arraycopy(ahead, aheadNext, into, offset, n);
        aheadNext += n;
        if (aheadNext == aheadFilled) {
            aheadNext = 0;
            aheadFilled = 0;
        }
        return n;
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
