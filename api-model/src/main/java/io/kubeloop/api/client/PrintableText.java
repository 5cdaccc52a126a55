/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

/**
 * Makes texts of a server or of another user safe for a log and a terminal: a line break could forge a line of the log,
 * and an escape sequence could change what a terminal shows. Static functions only.
 */
public final class PrintableText {

    private PrintableText() {}

    /**
     * Returns the text with its control characters, line separators and marks of direction escaped, such as {@code \n}.
     */
    public static String of(String text) {
        if (text.chars().noneMatch(PrintableText::isUnsafe)) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.chars().forEach(c -> {
            if (!isUnsafe(c)) {
                safe.append((char) c);
            } else if (c == '\n') {
                safe.append("\\n");
            } else if (c == '\r') {
                safe.append("\\r");
            } else {
                safe.append(String.format("\\u%04x", c));
            }
        });
        return safe.toString();
    }

    private static boolean isUnsafe(int c) {
        return (Character.isISOControl(c) && c != '\t')
                || c == 0x2028
                || c == 0x2029
                || (c >= 0x202a && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
