/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Normalizes the URL of a server that has a path, as upstream does: without a query, the scheme in lower case, the path
 * escaped. A {@code #} is part of the path. Other texts stay unchanged; connecting reports their problems. Stateless.
 */
public final class ServerUrl {

    /** User, host by name or address, and port; all optional. */
    private static final String AUTHORITY = "((?:[^/?#\\s@]*@)?(?:\\[[^/?#\\s\\]]+]|[^/?#\\s%:\\[\\]]*)(?::[0-9]*)?)";

    private static final Pattern HTTPS = Pattern.compile("(?i)https://(?=[^/?#])" + AUTHORITY + "([/?#].*)?");

    /** Scheme, authority, a path longer than its slash, and query. */
    private static final Pattern WITH_PATH =
            Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*)://" + AUTHORITY + "(/[^?\\p{Cntrl}]+)(\\?.*)?");

    private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

    private static final Pattern ESCAPED = Pattern.compile("[a-zA-Z0-9$&+,/:;=@_.~!'()*%\\[\\]-]*");

    private static final String UNESCAPED = "$&+,/:;=@_.~-";

    private ServerUrl() {}

    /** Returns whether the text is the URL of a host that is reached over TLS. */
    public static boolean isHttps(String server) {
        return HTTPS.matcher(server).matches();
    }

    public static String normalized(String server) {
        Matcher url = WITH_PATH.matcher(server);
        if (!url.matches() || BAD_ESCAPE.matcher(url.group(3)).find()) {
            return server;
        }
        String emptyQuery = "?".equals(url.group(4)) ? "?" : "";
        return url.group(1).toLowerCase(Locale.ROOT) + "://" + url.group(2) + escaped(url.group(3)) + emptyQuery;
    }

    private static String escaped(String path) {
        if (ESCAPED.matcher(path).matches()) {
            return path;
        }
        StringBuilder escaped = new StringBuilder();
        String plain = URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        for (byte one : plain.getBytes(StandardCharsets.UTF_8)) {
            boolean keep = one > 0 && (Character.isLetterOrDigit(one) || UNESCAPED.indexOf(one) >= 0);
            escaped.append(keep ? String.valueOf((char) one) : String.format("%%%02X", one));
        }
        return escaped.toString();
    }
}
