/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.codec;

import io.kubeloop.api.client.DecodeException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The part of a stream of protocol buffers that has arrived and was not read yet. It grows to the largest value that
 * must be in one piece. Confined to one thread.
 */
final class WireWindow {

    private static final int FIRST_SIZE = 64 << 10;

    /** A buffer of at most this size is kept. */
    private static final int LARGEST_KEPT = 1 << 20;

    /** The hash of bytes reads eight at a time. */
    private static final int SLACK = Long.BYTES;

    private final int maxObjectBytes;
    private byte[] bytes = new byte[FIRST_SIZE + SLACK];
    private InputStream in = InputStream.nullInputStream();
    private int from;
    private int to;

    /** The number of bytes of the stream in front of the array. */
    private long before;

    WireWindow(int maxObjectBytes) {
        this.maxObjectBytes = maxObjectBytes;
    }

    void open(InputStream stream) {
        in = stream;
        from = 0;
        to = 0;
        before = 0;
    }

    void release() {
        in = InputStream.nullInputStream();
        if (bytes.length > LARGEST_KEPT) {
            bytes = new byte[FIRST_SIZE + SLACK];
        }
    }

    byte[] bytes() {
        return bytes;
    }

    /** Returns the offset of the next byte in the array. */
    int from() {
        return from;
    }

    /** Returns the offset in the array behind the bytes that have arrived. */
    int to() {
        return to;
    }

    /** Returns the number of bytes that have been read. */
    long offset() {
        return before + from;
    }

    void moveTo(int index) {
        from = index;
    }

    /** Waits for this many bytes, unless the stream ends before. Returns whether they are there, in one piece. */
    boolean has(long count) {
        if (count > maxObjectBytes) {
            throw new DecodeException(
                    "an object has " + count + " bytes, more than the limit of " + maxObjectBytes, null);
        }
        if (to - from >= count) {
            return true;
        }
        System.arraycopy(bytes, from, bytes, 0, to - from);
        before += from;
        to -= from;
        from = 0;
        try {
            while (to < count) {
                if (to == bytes.length - SLACK) {
                    // Twice as much as has arrived: a length that is a lie costs no memory.
                    bytes = Arrays.copyOf(bytes, (int) Math.min(2L * to, Integer.MAX_VALUE - 2L * SLACK) + SLACK);
                }
                int read = in.read(bytes, to, bytes.length - SLACK - to);
                if (read < 0) {
                    return false;
                }
                to += read;
            }
        } catch (IOException e) {
            throw new DecodeException("cannot read a document: " + e.getMessage(), e);
        }
        return true;
    }

    /** Waits for this many bytes, in one piece. */
    void require(long count) {
        if (count < 0 || !has(count)) {
            throw new DecodeException(
                    "the document in protocol buffers ends too early: it declares " + count + " bytes at byte "
                            + offset() + ", and has " + (to - from),
                    null);
        }
    }

    /** Reads a number. */
    long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            require(1);
            byte b = bytes[from++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new DecodeException(
                "the document in protocol buffers has a number of more than ten bytes, at byte " + offset(), null);
    }
}
