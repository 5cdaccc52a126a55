package io.kubeloop.controller.json;

import java.util.Locale;

/** Strings as upstream's JSON encoder writes them, for the few patches that are written here rather than by a codec. */
public final class JsonStrings {

    private JsonStrings() {}

    /** Returns the text in quotes, escaped; {@code <}, {@code >} and {@code &} too, as Go does. */
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
