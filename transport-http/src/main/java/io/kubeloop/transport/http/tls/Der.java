/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** A parser and writer for the part of DER that the conversion of private keys needs. Not thread-safe. */
final class Der {

    static final int INTEGER = 0x02;
    static final int OCTET_STRING = 0x04;
    static final int NULL = 0x05;
    static final int OBJECT_ID = 0x06;
    static final int SEQUENCE = 0x30;
    static final int CONTEXT_0 = 0xa0;

    private final byte[] bytes;
    private int position;

    Der(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return position < bytes.length;
    }

    int peekTag() {
        return hasMore() ? bytes[position] & 0xff : -1;
    }

    /** Reads the content of the next value, which must have this tag. */
    byte[] read(int tag) {
        if (peekTag() != tag) {
            throw malformed();
        }
        position++;
        int length = readLength();
        if (length < 0 || length > bytes.length - position) {
            throw malformed();
        }
        byte[] content = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return content;
    }

    /** Skips the next value. */
    void skip() {
        read(peekTag());
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
    static byte[] write(int tag, byte[]... parts) {
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
