/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

/**
 * Writes strings of JSON as Go's encoder does: {@code <}, {@code >}, {@code &}, U+2028 and U+2029 are escaped, so
 * the text can stand in a web page; a lone surrogate becomes U+FFFD. Stateless.
 */
public final class JsonStrings {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonStrings() {}

    /** Returns the text in quotes and escaped. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        quote(out, text);
        return out.toString();
    }

    /** Appends the text in quotes and escaped. */
    public static void quote(StringBuilder out, String text) {
        out.append('"');
        int length = text.length();
        int plain = 0; // everything before it is written
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            out.append(text, plain, i);
            escape(out, c);
            plain = i + 1;
        }
        out.append(text, plain, length).append('"');
    }

    private static boolean isPlain(char c) {
        return c >= ' '
                && c != '"'
                && c != '\\'
                && c != '<'
                && c != '>'
                && c != '&'
                && c != '\u2028'
                && c != '\u2029'
                && !Character.isSurrogate(c);
    }

    private static void escape(StringBuilder out, char c) {
        switch (c) {
            case '"', '\\' -> out.append('\\').append(c);
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                // A lone surrogate has no form in UTF-8.
                char shown = Character.isSurrogate(c) ? '\ufffd' : c;
                out.append("\\u")
                        .append(HEX[shown >> 12])
                        .append(HEX[shown >> 8 & 15])
                        .append(HEX[shown >> 4 & 15])
                        .append(HEX[shown & 15]);
            }
        }
    }
}
