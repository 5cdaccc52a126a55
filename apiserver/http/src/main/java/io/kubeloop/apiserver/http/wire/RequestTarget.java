/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import com.google.re2j.Pattern;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The target of a request, as lenient as upstream's (Go: {@code url.ParseRequestURI}): only control characters and
 * incomplete escapes in the path are errors.
 *
 * @param path the decoded path; starts with a slash
 * @param rawQuery the query as it was sent; empty if absent
 */
public record RequestTarget(String path, String rawQuery) {

    private static final String PLAIN = "-._~/:@!$&'()*+,;=";
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");
    private static final Pattern AUTHORITY = Pattern.compile("(?i)^https?://[^/?]*");

    /**
     * Parses a target, which is a path or a URL.
     *
     * @param target one character for each byte
     */
    static RequestTarget parse(String target) throws MalformedRequestException {
        String local = AUTHORITY.matcher(target).replaceFirst("");
        String relative = local.isEmpty() && !target.isEmpty() ? "/" : local;
        if (!relative.startsWith("/") || CONTROL.matcher(relative).find()) {
            throw new MalformedRequestException(400, ""); // upstream names no reason
        }
        int mark = relative.indexOf('?');
        return mark < 0
                ? new RequestTarget(decoded(relative), "")
                : new RequestTarget(decoded(relative.substring(0, mark)), relative.substring(mark + 1));
    }

    /** Returns a decoded path in the form of a URL, with escapes for all characters that could end it. */
    public static String escaped(String path) {
        StringBuilder escaped = new StringBuilder(path.length());
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || PLAIN.indexOf(c) >= 0;
            escaped.append(plain ? Character.toString(c) : String.format("%%%02X", (int) c));
        }
        return escaped.toString();
    }

    private static String decoded(String path) throws MalformedRequestException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '%') {
                bytes.write(escaped(path, i + 1));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static int escaped(String path, int at) throws MalformedRequestException {
        int high = at + 1 < path.length() ? Character.digit(path.charAt(at), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(path.charAt(at + 1), 16);
        if (low < 0) {
            throw new MalformedRequestException(400, "");
        }
        return high << 4 | low;
    }
}
