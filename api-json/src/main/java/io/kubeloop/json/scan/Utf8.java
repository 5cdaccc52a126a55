/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.scan;

/** Checks characters in UTF-8, with the messages of libyaml's reader. Thread-safe: stateless. */
public final class Utf8 {

    private Utf8() {}

    /** Returns the number of bytes of a character that begins with this one; 0 if no character does. */
    static int length(byte first) {
        int b = first & 0xff;
        return b < 0x80 ? 1 : b >> 5 == 0x6 ? 2 : b >> 4 == 0xe ? 3 : b >> 3 == 0x1e ? 4 : 0;
    }

    /** Returns the problem of the first character that is not valid; empty if all are. O(n). */
    public static String firstProblem(byte[] text) {
        String problem = "";
        for (int i = 0; i < text.length && problem.isEmpty(); i += Math.max(1, length(text[i]))) {
            problem = text[i] >= 0 ? "" : problem(text, i, text.length);
        }
        return problem;
    }

    /** Returns the problem of the character that begins here; empty if it is valid. */
    static String problem(byte[] text, int at, int end) {
        int length = length(text[at]);
        if (length == 0) {
            return "invalid leading UTF-8 octet";
        }
        int value = length == 1 ? text[at] : text[at] & (0x7f >> length);
        for (int i = at + 1; i < at + length; i++) {
            if (i >= end) {
                return "incomplete UTF-8 octet sequence";
            }
            if ((text[i] & 0xc0) != 0x80) {
                return "invalid trailing UTF-8 octet";
            }
            value = (value << 6) | (text[i] & 0x3f);
        }
        boolean isShortest = length == 1 || value >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000);
        if (!isShortest) {
            return "invalid length of a UTF-8 sequence";
        }
        return value > Character.MAX_CODE_POINT || (value >= 0xd800 && value <= 0xdfff)
                ? "invalid Unicode character"
                : "";
    }
}
