/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel.value;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.kubeloop.apiserver.expressions.TextFormats;
import io.kubeloop.json.gotext.GoText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A URL in Go's parts (upstream: {@code net/url}). Immutable.
 *
 * @param scheme the scheme in small letters; empty for a path
 * @param host the host with the port
 * @param escapedPath the path with escapes
 * @param rawQuery the query with escapes
 */
public record ParsedUrl(String scheme, String host, String escapedPath, String rawQuery) {

    private static final Pattern PARTS = Pattern.compile(
            "(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?", Pattern.DOTALL);
    private static final String UNESCAPED = "-_.~$&+,/:;=@!'()*[]%";

    public static boolean isUrl(String text) {
        return TextFormats.matches("uri", text);
    }

    /** Returns why a text is not a URL, in Go's words. */
    public static String problem(String text) {
        return "parse " + GoText.quoted(text) + ": " + (text.isEmpty() ? "empty url" : "invalid URI for request");
    }

    public static ParsedUrl of(String text) {
        Matcher parts = PARTS.matcher(text);
        if (!isUrl(text) || !parts.matches()) {
            throw new CelInvalidArgumentException("URL parse error during conversion from string: " + problem(text));
        }
        String authority = part(parts, 2);
        return new ParsedUrl(
                part(parts, 1).toLowerCase(Locale.ROOT),
                authority.substring(authority.lastIndexOf('@') + 1),
                escaped(part(parts, 3)),
                part(parts, 4));
    }

    private static String part(Matcher parts, int group) {
        String part = parts.group(group);
        return part == null ? "" : part;
    }

    private static String escaped(String path) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || UNESCAPED.indexOf(c) >= 0;
            escaped.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return escaped.toString();
    }

    /** Returns the host without port and brackets. */
    public String hostname() {
        String name = port().isEmpty()
                ? host.endsWith(":") ? host.substring(0, host.length() - 1) : host
                : host.substring(0, host.lastIndexOf(':'));
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    /** Returns the port; empty if the URL has none. */
    public String port() {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(colon + 1) : "";
    }

    /** Returns the values of each parameter. */
    public Map<String, List<String>> query() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : rawQuery.split("&", -1)) {
            if (!pair.isEmpty() && pair.indexOf(';') < 0) {
                int equals = pair.indexOf('=');
                String key = equals < 0 ? pair : pair.substring(0, equals);
                values.computeIfAbsent(decoded(key), name -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
