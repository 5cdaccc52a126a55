/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import io.kubeloop.api.client.DecodeException;

/** Reads protocol buffers from a range of bytes. Confined to one thread. */
public final class WireReader {

    /** The layout of a number of 1 to 10 bytes. */
    public static final int VARINT = 0;

    /** The layout of 8 bytes. */
    public static final int FIXED64 = 1;

    /** The layout of a length with that many bytes behind it. */
    public static final int LENGTH = 2;

    /** The layout of 4 bytes. */
    public static final int FIXED32 = 5;

    private byte[] bytes;
    private int position;
    private int limit;

    /** Starts at an offset. */
    public WireReader(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.position = from;
        this.limit = to;
    }

    /** Starts again, with another range. */
    public void open(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.position = from;
        this.limit = to;
    }

    /** Limits reading to a message inside. Returns the limit before, which {@link #widen} takes. */
    public int narrow(int end) {
        int before = limit;
        limit = end;
        return before;
    }

    /** Ends the limit of {@link #narrow}, behind the message. */
    public void widen(int before) {
        limit = before;
    }

    /** Returns the array, which callers must not write to. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the offset of the next byte. */
    public int position() {
        return position;
    }

    /** Moves to an offset, such as the one behind a value that the caller has read itself. */
    public void moveTo(int index) {
        position = index;
    }

    /** Reads a tag: the number of a field, shifted left by three bits, and the layout of its value. */
    public int tag() {
        if (position < limit && bytes[position] > 7) {
            return bytes[position++];
        }
        long tag = varint();
        if (tag <= 7 || tag > Integer.MAX_VALUE) {
            throw malformed("has an invalid tag: " + tag);
        }
        return (int) tag;
    }

    /** Moves behind the next tag if it begins before this offset and is this one; otherwise does not move. */
    public boolean takeTag(int wanted, int end) {
        int here = position;
        if (here >= end) {
            return false;
        }
        if (tag() == wanted) {
            return true;
        }
        moveTo(here);
        return false;
    }

    /** Reads a number. */
    public long varint() {
        if (position < limit && bytes[position] >= 0) {
            return bytes[position++];
        }
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte b = next();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw malformed("has a number of more than ten bytes");
    }

    /** Reads eight bytes, the lowest first. */
    public long fixed64() {
        moveBy(8);
        long value = 0;
        for (int i = 1; i <= 8; i++) {
            value = value << 8 | (bytes[position - i] & 0xffL);
        }
        return value;
    }

    private byte next() {
        if (position >= limit) {
            throw malformed("ends too early");
        }
        return bytes[position++];
    }

    /** Reads a length, and returns the offset of the end of that many bytes. */
    public int end() {
        if (position < limit && bytes[position] >= 0) {
            int near = position + 1 + bytes[position];
            if (near <= limit) {
                position++;
                return near;
            }
        }
        long length = varint();
        if (length < 0 || length > limit - position) {
            throw malformed("declares " + length + " bytes, and has " + (limit - position));
        }
        return position + (int) length;
    }

    /** Skips a value of this layout. */
    public void skip(int layout) {
        switch (layout) {
            case VARINT -> varint();
            case FIXED64 -> moveBy(8);
            case LENGTH -> position = end();
            case FIXED32 -> moveBy(4);
            default -> throw malformed("has a value of layout " + layout);
        }
    }

    private void moveBy(int count) {
        if (count > limit - position) {
            throw malformed("ends too early");
        }
        position += count;
    }

    /** Checks that the value of a field has the layout of the schema. */
    public void require(boolean holds) {
        if (!holds) {
            throw malformed("has a field of another type than its kind");
        }
    }

    /** Checks that the fields of a message did not extend beyond it. */
    public void requireWithin(int end) {
        if (position > end) {
            throw malformed("has a field that extends beyond its message");
        }
    }

    /** Returns the exception for a malformed document. */
    public DecodeException malformed(String problem) {
        return new DecodeException("the document in protocol buffers " + problem + ", at byte " + position, null);
    }
}
