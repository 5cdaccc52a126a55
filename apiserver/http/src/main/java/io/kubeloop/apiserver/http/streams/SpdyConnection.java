/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.apiserver.http.wire.ClientMemory;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of SPDY/3.1 as clients of Kubernetes use it: the client creates all streams, and there is no flow
 * control beside that of TCP. One thread runs {@link #readAll}; any thread writes to streams.
 */
final class SpdyConnection {

    private static final Logger log = LoggerFactory.getLogger(SpdyConnection.class);

    private static final int SYN_STREAM = 1;
    private static final int SYN_REPLY = 2;
    private static final int RST_STREAM = 3;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int HEADERS = 8;

    private static final int VERSION = 3;
    private static final int CONTROL = 0x80000000;
    private static final int FIN = 1;
    private static final int REFUSED_STREAM = 3;
    private static final int LONGEST_CONTROL = 64 << 10;
    private static final int MOST_STREAMS = 256;
    private static final int PIECE = 16 << 10;

    // Guarded by lock: out, and the compression context of headers for writing, so frames do not mix. The lock is
    // held during a write, which blocks while the client does not read. streams: the reading thread adds; any thread
    // removes a stream that both sides have ended. newest is confined to the reading thread.

    /** Held for the write of one frame, which blocks while the client does not read. */
    private final ReentrantLock lock = new ReentrantLock();

    private final DataInputStream in;
    private final OutputStream out;
    private final SpdyHeaders headers = new SpdyHeaders();
    private final Map<Integer, SpdyStream> streams = new ConcurrentHashMap<>();
    private final Listener listener;
    private final ClientMemory.Share memory = ClientMemory.share();
    private int newest;

    /** Receives the streams of a connection, on the reading thread. Must not block. */
    interface Listener {

        /** Receives a new stream. */
        void opened(SpdyStream stream);

        /** Receives a stream that the client has reset. */
        default void reset(SpdyStream stream) {}
    }

    /** Creates a connection. */
    SpdyConnection(InputStream in, OutputStream out, Listener listener) {
        this.in = new DataInputStream(in);
        this.out = out;
        this.listener = listener;
    }

    /**
     * Reads the frames of the client until it closes the connection, and closes the input of all streams then.
     *
     * @throws IOException if the connection fails or the client violates the protocol
     */
    void readAll() throws IOException {
        byte[] buffer = new byte[PIECE];
        try (headers) {
            boolean more = true;
            while (more) {
                more = readFrame(buffer);
            }
        } finally {
            memory.close();
            streams.values().forEach(stream -> {
                stream.input().close();
                stream.removed();
            });
        }
    }

    private boolean readFrame(byte[] buffer) throws IOException {
        int first = in.read();
        if (first < 0) {
            return false;
        }
        int word = first << 24 | in.readUnsignedShort() << 8 | in.readUnsignedByte();
        int flagsAndLength = in.readInt();
        int flags = flagsAndLength >>> 24;
        int length = flagsAndLength & 0xffffff;
        if ((word & CONTROL) == 0) {
            data(word, flags, length, buffer);
            return true;
        }
        if ((word >>> 16 & 0x7fff) != VERSION) {
            throw new IOException("a SPDY frame has another version");
        }
        if (length > LONGEST_CONTROL) {
            throw new IOException("a SPDY frame is too large");
        }
        if (!memory.tryTake(length)) {
            throw new IOException("too many SPDY frames at a time");
        }
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException("the client closed the connection within a frame");
        }
        boolean more = control(word & 0xffff, flags, ByteBuffer.wrap(content));
        memory.give(length);
        return more;
    }

    private void data(int id, int flags, int length, byte[] buffer) throws IOException {
        SpdyStream stream = streams.get(id);
        int left = length;
        while (left > 0) {
            int n = in.read(buffer, 0, Math.min(left, buffer.length));
            if (n < 0) {
                throw new EOFException("the client closed the connection within a frame");
            }
            if (stream != null) {
                stream.input().put(buffer, 0, n);
            }
            left -= n;
        }
        if (stream != null && (flags & FIN) != 0) {
            stream.inputEnded();
        }
    }

    /** Returns false if the client closes the connection. */
    private boolean control(int type, int flags, ByteBuffer content) throws IOException {
        switch (type) {
            case SYN_STREAM -> create(flags, content);
            case HEADERS, SYN_REPLY -> {
                require(content, 4);
                headers.read(rest(content, 4)); // keeps the compression context
            }
            case RST_STREAM -> {
                require(content, 8);
                SpdyStream stream = remove(content.getInt() & ~CONTROL);
                if (stream != null) {
                    stream.inputEnded();
                    listener.reset(stream);
                }
            }
            case PING -> {
                require(content, 4);
                send(PING, 0, rest(content, 0));
            }
            case GOAWAY -> {
                return false;
            }
            default -> log.trace("Ignored a SPDY frame: type={}", type); // settings and windows
        }
        return true;
    }

    private void create(int flags, ByteBuffer content) throws IOException {
        require(content, 10);
        int id = content.getInt() & ~CONTROL;
        Map<String, String> read = headers.read(rest(content, 10));
        if (id % 2 == 0 || id <= newest) {
            throw new IOException("a SPDY stream has a wrong number");
        }
        newest = id;
        SpdyStream stream = new SpdyStream(this, id, read);
        if (streams.size() >= MOST_STREAMS || !stream.isGranted()) {
            reset(id, REFUSED_STREAM);
            return;
        }
        streams.put(id, stream);
        reply(id);
        if ((flags & FIN) != 0) {
            stream.inputEnded();
        }
        listener.opened(stream);
    }

    private static void require(ByteBuffer content, int bytes) throws IOException {
        if (content.remaining() < bytes) {
            throw new IOException("a SPDY frame is too short");
        }
    }

    private static byte[] rest(ByteBuffer content, int from) {
        byte[] rest = new byte[content.capacity() - from];
        content.get(from, rest);
        return rest;
    }

    private void reply(int id) throws IOException {
        lock.lock();
        try {
            byte[] block = headers.empty();
            send(
                    SYN_REPLY,
                    0,
                    ByteBuffer.allocate(4 + block.length).putInt(id).put(block).array());
        } finally {
            lock.unlock();
        }
    }

    void reset(int id, int status) throws IOException {
        remove(id);
        send(RST_STREAM, 0, ByteBuffer.allocate(8).putInt(id).putInt(status).array());
    }

    /** Announces the end of the connection. */
    void goAway() throws IOException {
        send(GOAWAY, 0, ByteBuffer.allocate(8).putInt(newest).putInt(0).array());
    }

    private void send(int type, int flags, byte[] content) throws IOException {
        write(ByteBuffer.allocate(8 + content.length)
                .putInt(CONTROL | VERSION << 16 | type)
                .putInt(flags << 24 | content.length)
                .put(content)
                .array());
    }

    /** Sends bytes of a stream, in pieces. */
    void sendData(int id, byte[] bytes, int offset, int length, boolean last) throws IOException {
        int done = 0;
        do {
            int n = Math.min(PIECE, length - done);
            boolean end = last && done + n == length;
            write(ByteBuffer.allocate(8 + n)
                    .putInt(id)
                    .putInt((end ? FIN : 0) << 24 | n)
                    .put(bytes, offset + done, n)
                    .array());
            done += n;
        } while (done < length);
    }

    private void write(byte[] frame) throws IOException {
        lock.lock();
        try {
            out.write(frame);
            out.flush();
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    SpdyStream remove(int id) {
        SpdyStream stream = streams.remove(id);
        if (stream != null) {
            stream.removed();
        }
        return stream;
    }
}
