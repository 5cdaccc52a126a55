/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.websocket;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the frames of a client until it closes the connection, and answers pings. Memory does not grow with the size of
 * a frame. Confined to one thread.
 */
public final class WebSocketInput {

    /** The longest message that the server reads before it refuses the rest, in bytes; upstream's bound. */
    static final long LONGEST_MESSAGE = 32L << 20;

    private static final int LONGEST_CONTROL = 125;

    private final InputStream in;
    private final WebSocketOutput out;
    private final byte[] buffer = new byte[4 << 10];
    private long messageBytes;
    private boolean inMessage;
    private Messages messages = (bytes, count, first, last) -> 0;

    /** Receives the messages of a client in parts. */
    @FunctionalInterface
    public interface Messages {

        /**
         * Receives a part of a message. May block.
         *
         * @param bytes the buffer, which is reused after the call
         * @param length the number of bytes, which may be 0
         * @param first whether the message begins with this part
         * @param last whether the message ends with this part
         * @return 0, or the status with which to close the connection
         */
        int part(byte[] bytes, int length, boolean first, boolean last) throws IOException;
    }

    /**
     * Creates an input.
     *
     * @param out receives the answers to pings, and the close frame of a protocol violation
     */
    public WebSocketInput(InputStream in, WebSocketOutput out) {
        this.in = in;
        this.out = out;
    }

    /** Discards all messages, because a watch takes no input; see {@link #readAll}. */
    public void discardAll() throws IOException {
        readAll(messages);
    }

    /**
     * Delivers messages until the client has closed the connection or violated the protocol. A violation is answered
     * with a close frame. Blocks.
     *
     * @throws IOException if the connection fails
     */
    public void readAll(Messages receiver) throws IOException {
        messages = receiver;
        int violation = 0;
        while (violation == 0) {
            int first = in.read();
            if (first < 0) {
                return;
            }
            if ((first & 0x0f) == WebSocketOutput.CLOSE) {
                return;
            }
            violation = frame(first);
        }
        out.close(violation);
    }

    /** Reads the rest of a frame; returns 0, or the status of the violation. */
    private int frame(int first) throws IOException {
        boolean last = (first & 0x80) != 0;
        int opcode = first & 0x0f;
        int second = byteOf();
        long length = length(second & 0x7f);
        boolean masked = (second & 0x80) != 0;
        boolean control = opcode >= WebSocketOutput.CLOSE;
        boolean valid =
                masked && (first & 0x70) == 0 && (control ? last && isControl(opcode, length) : isMessage(opcode));
        if (!valid) {
            return WebSocketOutput.PROTOCOL_ERROR;
        }
        byte[] mask = in.readNBytes(4);
        if (mask.length < 4) {
            throw new EOFException("the client closed the connection within a frame");
        }
        if (control) {
            control(opcode, (int) length, mask);
            return 0;
        }
        boolean begins = opcode != WebSocketOutput.CONTINUATION;
        inMessage = !last;
        messageBytes = opcode == WebSocketOutput.CONTINUATION ? messageBytes + length : length;
        if (length < 0 || messageBytes > LONGEST_MESSAGE) {
            return WebSocketOutput.TOO_LARGE;
        }
        return deliver(length, mask, begins, last);
    }

    /**
     * Returns whether this is a valid control frame. The length is an unsigned number, so a negative one is too long.
     */
    private static boolean isControl(int opcode, long length) {
        return opcode <= WebSocketOutput.PONG && length >= 0 && length <= LONGEST_CONTROL;
    }

    private boolean isMessage(int opcode) {
        return inMessage
                ? opcode == WebSocketOutput.CONTINUATION
                : opcode == WebSocketOutput.TEXT || opcode == WebSocketOutput.BINARY;
    }

    private void control(int opcode, int length, byte[] mask) throws IOException {
        if (in.readNBytes(buffer, 0, length) < length) {
            throw new EOFException("the client closed the connection within a frame");
        }
        if (opcode == WebSocketOutput.PING) {
            for (int i = 0; i < length; i++) {
                buffer[i] ^= mask[i % mask.length];
            }
            out.pong(buffer, length);
        }
    }

    private long length(int shortLength) throws IOException {
        int bytes = shortLength == 126 ? 2 : shortLength == 127 ? 8 : 0;
        long length = bytes == 0 ? shortLength : 0;
        for (int i = 0; i < bytes; i++) {
            length = length << 8 | byteOf();
        }
        return length;
    }

    private int byteOf() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the client closed the connection within a frame");
        }
        return next;
    }

    private int deliver(long length, byte[] mask, boolean begins, boolean last) throws IOException {
        long done = 0;
        int violation = 0;
        do {
            int n = length == 0 ? 0 : in.read(buffer, 0, (int) Math.min(length - done, buffer.length));
            if (n < 0) {
                throw new EOFException("the client closed the connection within a frame");
            }
            for (int i = 0; i < n; i++) {
                buffer[i] ^= mask[(int) ((done + i) % mask.length)];
            }
            boolean isFirst = begins && done == 0;
            done += n;
            violation = messages.part(buffer, n, isFirst, last && done == length);
        } while (violation == 0 && done < length);
        return violation;
    }
}
