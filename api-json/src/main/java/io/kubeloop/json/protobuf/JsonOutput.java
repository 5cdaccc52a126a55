/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A buffer for a JSON document. Confined to one thread. */
final class JsonOutput {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes;
    private int length;

    JsonOutput(int expected) {
        bytes = new byte[expected];
    }

    private void require(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    void raw(int c) {
        require(1);
        bytes[length++] = (byte) c;
    }

    void raw(byte[] source, int from, int to) {
        require(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    void raw(byte[] source) {
        raw(source, 0, source.length);
    }

    /** Begins a member or an element: writes a comma, unless it is the first. */
    void separate() {
        byte last = bytes[length - 1];
        if (last != '{' && last != '[') {
            raw(',');
        }
    }

    /** Writes a string from its UTF-8 bytes. */
    void string(byte[] source, int from, int to) {
        require(2 + 6 * (to - from));
        bytes[length++] = '"';
        for (int i = from; i < to; i++) {
            byte b = source[i];
            if (b == '"' || b == '\\') {
                bytes[length++] = '\\';
                bytes[length++] = b;
            } else if (b >= 0 && b < ' ') {
                escape(b);
            } else {
                bytes[length++] = b;
            }
        }
        bytes[length++] = '"';
    }

    private void escape(byte b) {
        switch (b) {
            case '\n' -> raw(new byte[] {'\\', 'n'});
            case '\r' -> raw(new byte[] {'\\', 'r'});
            case '\t' -> raw(new byte[] {'\\', 't'});
            default -> raw(new byte[] {'\\', 'u', '0', '0', HEX[b >> 4], HEX[b & 0xf]});
        }
    }

    void number(long value) {
        raw(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes a number in decimal with leading zeros. */
    void digits(int value, int count) {
        require(count);
        int rest = value;
        for (int i = length + count - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += count;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }
}
