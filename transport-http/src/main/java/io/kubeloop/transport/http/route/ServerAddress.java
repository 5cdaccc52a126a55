/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/**
 * Parses the address of a server: a URL, or {@code host:port} alone (upstream: {@code rest.DefaultServerURL}).
 * Stateless.
 *
 * <p>It is stricter than upstream, which silently drops a query and a fragment, and rejects an {@code ftp} URL only
 * with the first request.
 */
public final class ServerAddress {

    private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*)://.*", Pattern.DOTALL);

    private ServerAddress() {}

    /**
     * Returns the URL, without a slash at the end of its path.
     *
     * @param secure whether an address without a scheme uses TLS
     * @throws IllegalArgumentException if the text is not an address; the message names the reason and shows no secret
     */
    public static HttpUrl parse(String server, boolean secure) {
        boolean bare = !server.contains("://");
        Matcher scheme = SCHEME.matcher(server);
        require(!scheme.matches() || isHttp(scheme.group(1)), server, "its scheme must be http or https");
        HttpUrl url =
                isPlain(server) ? HttpUrl.parse(bare ? (secure ? "https://" : "http://") + server : server) : null;
        if (url == null) {
            throw refused(server, "it is not a URL with http or https, nor host:port");
        }
        require(
                url.username().isEmpty() && url.password().isEmpty(),
                server,
                "it must not hold a user, whose credentials belong elsewhere in the configuration");
        require(KubeconfigDefaults.orEmpty(url.query()).isEmpty(), server, "it must not have a query");
        require(KubeconfigDefaults.orEmpty(url.fragment()).isEmpty(), server, "it must not have a fragment");
        require(!bare || url.encodedPath().equals("/"), server, "with a path it needs http:// or https://");
        return withoutSlash(url);
    }

    /** Lenient parsers repair such texts, each in its own way. */
    private static boolean isPlain(String server) {
        return server.equals(server.strip()) && server.chars().noneMatch(c -> c < ' ' || c == '\\');
    }

    private static boolean isHttp(String scheme) {
        String lower = scheme.toLowerCase(Locale.ROOT);
        return lower.equals("http") || lower.equals("https");
    }

    private static HttpUrl withoutSlash(HttpUrl url) {
        HttpUrl.Builder base = url.newBuilder().query(null).fragment(null);
        int last = url.pathSize() - 1;
        if (url.pathSegments().get(last).isEmpty()) {
            base.removePathSegment(last);
        }
        return base.build();
    }

    private static void require(boolean fine, String server, String why) {
        if (!fine) {
            throw refused(server, why);
        }
    }

    private static IllegalArgumentException refused(String server, String why) {
        return new IllegalArgumentException("the server \"" + Redaction.withoutSecrets(server) + "\": " + why);
    }
}
