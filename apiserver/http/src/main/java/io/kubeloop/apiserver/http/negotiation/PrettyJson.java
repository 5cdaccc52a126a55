/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.negotiation;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Indented JSON, as Go's {@code json.MarshalIndent} writes it, and the clients that receive it. Holds no state. */
public final class PrettyJson {

    private static final byte[] INDENT = "  ".getBytes(StandardCharsets.US_ASCII);

    private PrettyJson() {}

    /**
     * Returns whether a response is indented. Without the parameter {@code pretty}, browsers and download tools get
     * indented JSON.
     */
    public static boolean isWanted(ResponseFormat format, Map<String, String> query, String userAgent) {
        String parameter = query.getOrDefault("pretty", "");
        if (format.pretty()) {
            return true;
        }
        if (parameter.isEmpty()) {
            return userAgent.startsWith("curl") || userAgent.startsWith("Wget") || userAgent.startsWith("Mozilla/5.0");
        }
        String lower = parameter.toLowerCase(Locale.ROOT);
        return lower.equals("1") || lower.equals("t") || lower.equals("true");
    }

    /** Indents valid JSON without blanks between its tokens. */
    public static byte[] indent(byte[] json) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(2 * json.length);
        int depth = 0;
        boolean inString = false;
        for (int i = 0; i < json.length; i++) {
            byte b = json[i];
            if (inString) {
                out.write(b);
                if (b == '\\') {
                    i++;
                    out.write(json[i]);
                }
                inString = b != '"';
                continue;
            }
            boolean closes = b == '}' || b == ']';
            if (closes && !isOpening(json[i - 1])) {
                depth--;
                newLine(out, depth);
            } else if (closes) {
                depth--;
            }
            out.write(b);
            inString = b == '"';
            if (b == ':') {
                out.write(' ');
            } else if (b == ',') {
                newLine(out, depth);
            } else if (isOpening(b)) {
                depth++;
                if (json[i + 1] != '}' && json[i + 1] != ']') {
                    newLine(out, depth);
                }
            }
        }
        return out.toByteArray();
    }

    private static boolean isOpening(byte b) {
        return b == '{' || b == '[';
    }

    private static void newLine(ByteArrayOutputStream out, int depth) {
        out.write('\n');
        for (int i = 0; i < depth; i++) {
            out.writeBytes(INDENT);
        }
    }
}
