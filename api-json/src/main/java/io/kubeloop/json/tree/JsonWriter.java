/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import java.util.Map;

/** Writes trees in the format of Go's {@code encoding/json} with HTML escaping, its default. */
final class JsonWriter {

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonWriter() {}

    static String write(JsonValue value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, JsonValue value) {
        if (value instanceof JsonObject object) {
            char separator = '{';
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                out.append(separator);
                quote(out, member.getKey());
                out.append(':');
                write(out, member.getValue());
                separator = ',';
            }
            out.append(separator == '{' ? "{}" : "}");
        } else if (value instanceof JsonArray array) {
            char separator = '[';
            for (JsonValue element : array) {
                out.append(separator);
                write(out, element);
                separator = ',';
            }
            out.append(separator == '[' ? "[]" : "]");
        } else if (value instanceof JsonString string) {
            quote(out, string.value());
        } else if (value instanceof JsonNumber number) {
            out.append(number.text());
        } else if (value instanceof JsonBoolean bool) {
            out.append(bool.value());
        } else {
            out.append("null");
        }
    }

    private static void quote(StringBuilder out, String text) {
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
