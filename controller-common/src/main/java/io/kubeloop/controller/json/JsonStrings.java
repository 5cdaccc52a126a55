/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.json;

import java.util.Locale;

/**
 * Writes JSON strings as upstream's encoder does, for the few patches that this module builds without a codec.
 * Stateless.
 */
public final class JsonStrings {

    private JsonStrings() {}

    /** Returns the text in quotes and escaped; also escapes {@code <}, {@code >} and {@code &}, as Go does. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '<', '>', '&', '\u2028', '\u2029' -> escape(quoted, c);
                default -> {
                    if (c < 0x20) {
                        escape(quoted, c);
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    private static void escape(StringBuilder out, char c) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
    }
}
