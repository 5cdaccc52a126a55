/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.scan;

import java.nio.charset.StandardCharsets;

/** Escapes and unescapes strings of JSON. Thread-safe: stateless. */
public final class JsonText {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private JsonText() {}

    /**
     * Returns the text of a string without its quotes. Its escapes must be well-formed. Broken UTF-8 becomes U+FFFD, as
     * in Go.
     */
    public static String unescape(byte[] source, int from, int to) {
        byte[] text = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            byte c = source[i];
            if (c != '\\') {
                text[length++] = c;
                continue;
            }
            c = source[++i];
            switch (c) {
                case 'b' -> text[length++] = '\b';
                case 'f' -> text[length++] = '\f';
                case 'n' -> text[length++] = '\n';
                case 'r' -> text[length++] = '\r';
                case 't' -> text[length++] = '\t';
                case 'u' -> {
                    int point = hex(source, i + 1);
                    i += 4;
                    if (Character.isSurrogate((char) point)) {
                        int low = i + 6 < to && source[i + 1] == '\\' && source[i + 2] == 'u' ? hex(source, i + 3) : 0;
                        if (Character.isSurrogatePair((char) point, (char) low)) {
                            point = Character.toCodePoint((char) point, (char) low);
                            i += 6;
                        } else {
                            point = 0xFFFD;
                        }
                    }
                    length = putUtf8(text, length, point);
                }
                default -> text[length++] = c;
            }
        }
        return decode(text, 0, length);
    }

    /** Returns bytes as text. As in Go, each byte that is not a part of a character becomes U+FFFD. O(n). */
    public static String decode(byte[] utf8, int from, int to) {
        String text = new String(utf8, from, to - from, StandardCharsets.UTF_8);
        return text.indexOf('\ufffd') < 0 ? text : decodeBroken(utf8, from, to);
    }

    /** Java's decoder replaces the bytes of an incomplete character by one U+FFFD. */
    private static String decodeBroken(byte[] utf8, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        for (int i = from; i < to; ) {
            int length = Math.min(Utf8.length(utf8[i]), to - i);
            if (length > 0 && Utf8.problem(utf8, i, to).isEmpty()) {
                text.append(new String(utf8, i, length, StandardCharsets.UTF_8));
                i += length;
            } else {
                text.append('\ufffd');
                i++;
            }
        }
        return text.toString();
    }

    private static int hex(byte[] source, int from) {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            value = (value << 4) | Character.digit(source[i], 16);
        }
        return value;
    }

    /** Writes a code point, at most four bytes; returns the place after it. */
    static int putUtf8(byte[] target, int at, int point) {
        int i = at;
        if (point < 0x80) {
            target[i++] = (byte) point;
        } else if (point < 0x800) {
            target[i++] = (byte) (0xC0 | (point >> 6));
            target[i++] = (byte) (0x80 | (point & 0x3F));
        } else if (point < 0x10000) {
            target[i++] = (byte) (0xE0 | (point >> 12));
            target[i++] = (byte) (0x80 | ((point >> 6) & 0x3F));
            target[i++] = (byte) (0x80 | (point & 0x3F));
        } else {
            target[i++] = (byte) (0xF0 | (point >> 18));
            target[i++] = (byte) (0x80 | ((point >> 12) & 0x3F));
            target[i++] = (byte) (0x80 | ((point >> 6) & 0x3F));
            target[i++] = (byte) (0x80 | (point & 0x3F));
        }
        return i;
    }

    /**
     * Writes a string in quotes as Go's encoder does: {@code <}, {@code >}, {@code &}, U+2028 and U+2029 are escaped,
     * so the text can stand in a web page; a lone surrogate becomes U+FFFD. Returns the place after it.
     *
     * @param target must have room for six bytes per character and two more
     */
    public static int putQuoted(byte[] target, int at, String text) {
        int i = at;
        target[i++] = '"';
        for (int next = 0; next < text.length(); next++) {
            char c = text.charAt(next);
            if (c >= 0x80) {
                int point = text.codePointAt(next);
                if (point >= 0x10000) {
                    next++;
                }
                if (c == 0x2028 || c == 0x2029) {
                    i = putEscape(target, i, c);
                } else {
                    i = putUtf8(target, i, Character.isSurrogate(c) && point < 0x10000 ? 0xFFFD : point);
                }
            } else if (c == '"' || c == '\\') {
                target[i++] = '\\';
                target[i++] = (byte) c;
            } else if (c >= ' ' && c != '<' && c != '>' && c != '&') {
                target[i++] = (byte) c;
            } else if (c == '\n' || c == '\r' || c == '\t') {
                target[i++] = '\\';
                target[i++] = (byte) (c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
            } else {
                i = putEscape(target, i, c);
            }
        }
        target[i++] = '"';
        return i;
    }

    private static int putEscape(byte[] target, int at, char c) {
        target[at] = '\\';
        target[at + 1] = 'u';
        target[at + 2] = HEX[c >> 12];
        target[at + 3] = HEX[(c >> 8) & 0xF];
        target[at + 4] = HEX[(c >> 4) & 0xF];
        target[at + 5] = HEX[c & 0xF];
        return at + 6;
    }
}
