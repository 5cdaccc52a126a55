/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a proxy. Immutable; {@link #toString()} shows no credential.
 *
 * @param scheme the protocol to the proxy
 * @param host the name or address
 * @param port the port
 * @param user the user name for the proxy; empty for none
 * @param password the password of the user
 */
record ProxyAddress(Scheme scheme, String host, int port, String user, String password) {

    /**
     * User and password, host, port. {@link URI} cannot be used here: it rejects host names with an underscore, which
     * container networks have, and it ends the user at the first {@code @}.
     */
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:(.*)@)?(\\[[^\\[\\]]+]|[^:@\\[\\]]*)(?::([0-9]{0,5}))?");

    private static final int MAX_PORT = 65_535;

    /** The protocol between client and proxy. */
    enum Scheme {
        HTTP(80),
        HTTPS(443),
        SOCKS5(1080);

        private final int port;

        Scheme(int port) {
            this.port = port;
        }
    }

    /**
     * Reads a URL.
     *
     * @param source the origin of the URL, for messages
     * @throws TransportException of kind {@code CONFIGURATION} if the URL cannot be used; its message shows no
     *     credential
     */
    static ProxyAddress parse(String source, String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            // No cause: its message quotes the URL, which may contain a password.
            throw refused(source + " is not a URL");
        }
        Scheme scheme = switch (KubeconfigDefaults.orEmpty(uri.getScheme()).toLowerCase(Locale.ROOT)) {
            case "http" -> Scheme.HTTP;
            case "https" -> Scheme.HTTPS;
            case "socks5", "socks5h" -> Scheme.SOCKS5;
            default ->
                throw refused(source + " " + uri.getScheme() + "://" + KubeconfigDefaults.orEmpty(uri.getHost())
                        + " cannot be used: the scheme must be http, https or socks5");
        };
        Matcher authority = AUTHORITY.matcher(KubeconfigDefaults.orEmpty(uri.getRawAuthority()));
        String host = authority.matches() ? authority.group(2) : "";
        if (host.isEmpty()) {
            throw refused(source + " " + uri.getScheme() + "://... cannot be used: it names no host");
        }
        String digits = KubeconfigDefaults.orEmpty(authority.group(3));
        int port = digits.isEmpty() ? scheme.port : Integer.parseInt(digits);
        if (port > MAX_PORT) {
            throw refused(source + " " + uri.getScheme() + "://... cannot be used: there is no port " + port);
        }
        String[] user = KubeconfigDefaults.orEmpty(authority.group(1)).split(":", 2);
        return new ProxyAddress(
                scheme,
                host.startsWith("[") ? unescaped(host.substring(1, host.length() - 1)) : host,
                port,
                unescaped(user[0]),
                user.length < 2 ? "" : unescaped(user[1]));
    }

    private static String unescaped(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static TransportException refused(String message) {
        return new TransportException(Kind.CONFIGURATION, message, null);
    }

    @Override
    public String toString() {
        return scheme.name().toLowerCase(Locale.ROOT) + "://" + IpAddresses.bracketed(host) + ":" + port;
    }
}
