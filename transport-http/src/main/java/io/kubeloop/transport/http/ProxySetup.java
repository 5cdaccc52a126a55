package io.kubeloop.transport.http;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.Locale;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/** Sends a client through the proxy of its configuration. */
final class ProxySetup {

    private ProxySetup() {}

    static void apply(String proxyUrl, OkHttpClient.Builder client) {
        if (proxyUrl.isEmpty()) {
            return;
        }
        URI uri = parse(proxyUrl);
        String scheme = Absent.orEmpty(uri.getScheme()).toLowerCase(Locale.ROOT);
        Proxy.Type type = switch (scheme) {
            case "http" -> Proxy.Type.HTTP;
            case "socks5" -> Proxy.Type.SOCKS;
            case "https" -> throw refused(uri, "proxies that are themselves reached over TLS are not supported", null);
            default -> throw refused(uri, "the scheme must be http or socks5", null);
        };
        if (uri.getHost() == null) {
            throw refused(uri, "no host", null);
        }
        int port = uri.getPort() != -1 ? uri.getPort() : type == Proxy.Type.HTTP ? 80 : 1080;
        // Unresolved: it is the proxy's name that is looked up then, once per connection.
        client.proxy(new Proxy(type, InetSocketAddress.createUnresolved(uri.getHost(), port)));
        String user = uri.getUserInfo();
        if (user != null) {
            int colon = user.indexOf(':');
            String header = Credentials.basic(
                    colon < 0 ? user : user.substring(0, colon), colon < 0 ? "" : user.substring(colon + 1));
            client.proxyAuthenticator((route, response) -> response.request().header("Proxy-Authorization") != null
                    ? null
                    : response.request()
                            .newBuilder()
                            .header("Proxy-Authorization", header)
                            .build());
        }
    }

    private static URI parse(String proxyUrl) {
        try {
            return URI.create(proxyUrl);
        } catch (IllegalArgumentException e) {
            throw new TransportException(Kind.CONFIGURATION, "proxy-url is not a URL", null);
        }
    }

    private static TransportException refused(URI uri, String why, @Nullable Throwable cause) {
        return new TransportException(
                Kind.CONFIGURATION,
                "proxy-url " + uri.getScheme() + "://" + uri.getHost() + " cannot be used: " + why,
                cause);
    }
}
