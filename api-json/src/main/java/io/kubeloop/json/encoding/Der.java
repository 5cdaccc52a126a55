/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.encoding;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Reads the values of a DER document one after the other, and writes values (X.690). Every method that reads throws an
 * {@link IllegalArgumentException} if the document is malformed or the next value has another tag. Not thread-safe.
 */
public final class Der {

    /** The tag of an integer. */
    public static final int INTEGER = 0x02;

    /** The tag of a string of bits. */
    public static final int BIT_STRING = 0x03;

    /** The tag of a string of octets. */
    public static final int OCTET_STRING = 0x04;

    /** The tag of null. */
    public static final int NULL = 0x05;

    /** The tag of an object identifier. */
    public static final int OBJECT_ID = 0x06;

    /** The tag of a sequence. */
    public static final int SEQUENCE = 0x30;

    /** The tag of a set. */
    public static final int SET = 0x31;

    /** The tag of a constructed value whose meaning depends on its context, number 0. */
    public static final int CONTEXT_0 = 0xa0;

    private final byte[] bytes;
    private final int end;
    private int position;

    /** Reads these bytes from their beginning. The caller must not change them. */
    public Der(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private Der(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.end = end;
        position = from;
    }

    /** Returns whether another value follows. */
    public boolean hasMore() {
        return position < end;
    }

    /** Returns the tag of the next value; -1 at the end. */
    public int peekTag() {
        return hasMore() ? bytes[position] & 0xff : -1;
    }

    /** Returns a reader of the content of the next value, which must have this tag. */
    public Der open(int tag) {
        if (!hasMore() || peekTag() != tag) {
            throw malformed();
        }
        position++;
        int length = readLength();
        if (length > end - position) {
            throw malformed();
        }
        position += length;
        return new Der(bytes, position - length, position);
    }

    /** Returns a copy of the content of the next value, which must have this tag. */
    public byte[] read(int tag) {
        Der content = open(tag);
        return Arrays.copyOfRange(bytes, content.position, content.end);
    }

    /** Returns a copy of the next value, whatever its tag, with its tag and its length. */
    public byte[] readWhole() {
        int start = position;
        skip();
        return Arrays.copyOfRange(bytes, start, position);
    }

    /** Skips the next value, whatever its tag. */
    public void skip() {
        open(peekTag());
    }

    private int readLength() {
        int first = next();
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7f;
        if (count == 0 || count > 3) {
            throw malformed();
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = length << 8 | next();
        }
        return length;
    }

    private int next() {
        if (!hasMore()) {
            throw malformed();
        }
        return bytes[position++] & 0xff;
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("not valid DER");
    }

    /** Returns an encoded value: the tag, the length, and the parts as content. */
    public static byte[] write(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length < 0x80) {
            out.write(length);
        } else {
            int octets = (39 - Integer.numberOfLeadingZeros(length)) / 8;
            out.write(0x80 | octets);
            for (int shift = (octets - 1) * 8; shift >= 0; shift -= 8) {
                out.write(length >> shift);
            }
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
