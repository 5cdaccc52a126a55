/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/** Writes the frames of a server, which are whole and not masked (RFC 6455, 5.2). Thread-safe. */
public final class WebSocketOutput {

    /** The client and the server have said everything. */
    public static final int NORMAL = 1000;

    /** The client violates the protocol. */
    public static final int PROTOCOL_ERROR = 1002;

    /** A message of the client is too large. */
    public static final int TOO_LARGE = 1009;

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int FINAL = 0x80;
    private static final int LONGEST_SHORT = 125;
    private static final int TWO_BYTES = 126;
    private static final int EIGHT_BYTES = 127;

    /*
     * The lock keeps frames from mixing, and anything from following a close frame. It is held during a write, which
     * blocks while the client does not read.
     */

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final OutputStream out;

    @GuardedBy("lock")
    private boolean closed;

    /** Creates an output; each frame is one write to the stream. */
    public WebSocketOutput(OutputStream out) {
        this.out = out;
    }

    /** Sends a text message. */
    public void text(byte[] utf8) throws IOException {
        send(TEXT, utf8, utf8.length);
    }

    /** Sends a binary message. */
    public void binary(byte[] bytes) throws IOException {
        send(BINARY, bytes, bytes.length);
    }

    /** Responses a ping. */
    void pong(byte[] payload, int length) throws IOException {
        send(PONG, payload, length);
    }

    /** Sends a close frame with this status; the second call and all later frames do nothing. */
    public void close(int status) throws IOException {
        lock.lock();
        try {
            send(CLOSE, new byte[] {(byte) (status >> 8), (byte) status}, 2);
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    private void send(int opcode, byte[] payload, int length) throws IOException {
        lock.lock();
        try {
            if (!closed) {
                out.write(frame(opcode, payload, length));
            }
        } finally {
            lock.unlock();
        }
    }

    private static byte[] frame(int opcode, byte[] payload, int length) {
        int sizeBytes = length <= LONGEST_SHORT ? 0 : length <= 0xffff ? 2 : 8;
        byte[] frame = new byte[2 + sizeBytes + length];
        frame[0] = (byte) (FINAL | opcode);
        frame[1] = (byte) (sizeBytes == 0 ? length : sizeBytes == 2 ? TWO_BYTES : EIGHT_BYTES);
        for (int i = 0; i < Math.min(sizeBytes, Integer.BYTES); i++) {
            frame[1 + sizeBytes - i] = (byte) (length >> (8 * i));
        }
        System.arraycopy(payload, 0, frame, 2 + sizeBytes, length);
        return frame;
    }
}
