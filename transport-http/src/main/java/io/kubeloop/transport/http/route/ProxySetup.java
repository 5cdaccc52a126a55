package io.kubeloop.transport.http.route;

import io.kubeloop.transport.http.tls.TlsSetup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.net.SocketFactory;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Decides which proxy a client goes through, and how: the configuration's, else the environment's, else what the JVM's
 * system properties say. OkHttp speaks to HTTP proxies; the other two kinds are made to look like what it knows.
 *
 * @param proxy null for none that we know of
 * @param direct whether the JVM's own settings have no say
 */
public record ProxySetup(@Nullable ProxyAddress proxy, boolean direct) {

    private static final byte[] UNRESOLVED = new byte[4];

    /**
     * Decides.
     *
     * @throws io.kubeloop.api.client.TransportException of kind {@code CONFIGURATION} if the proxy cannot be used
     */
    public static ProxySetup of(String proxyUrl, Map<String, String> environment, HttpUrl server) {
        if (!proxyUrl.isEmpty()) {
            return new ProxySetup(ProxyAddress.parse("proxy-url", proxyUrl), true);
        }
        ProxyEnvironment.Choice choice =
                new ProxyEnvironment(environment).choose(server.scheme(), server.host(), server.port());
        if (choice == null) {
            return new ProxySetup(null, false);
        }
        return new ProxySetup(
                choice.url().isEmpty() ? null : ProxyAddress.parse(choice.variable(), choice.url()), true);
    }

    /** Returns what messages add to the server's address: the proxy in between, if there is one. */
    public String suffix() {
        return proxy == null ? "" : " through proxy " + proxy;
    }

    /** Returns where a client's sockets come from, given what secures those to a proxy that is reached over TLS. */
    public SocketFactory sockets(TlsSetup tls) {
        if (proxy == null) {
            return new InterruptibleSockets();
        }
        return switch (proxy.scheme()) {
            case HTTP -> new InterruptibleSockets();
            case HTTPS -> new TunnelSockets(raw -> new TlsProxySocket(raw, proxy, tls.factory()));
            case SOCKS5 -> new TunnelSockets(raw -> new Socks5Socket(raw, proxy));
        };
    }

    public void apply(OkHttpClient.Builder client) {
        if (proxy == null) {
            if (direct) {
                client.proxy(Proxy.NO_PROXY);
            }
            return;
        }
        if (proxy.scheme() == ProxyAddress.Scheme.SOCKS5) {
            // To OkHttp this is a direct connection. The proxy looks names up: from here they may not be known.
            client.proxy(Proxy.NO_PROXY);
            client.dns(host -> List.of(InetAddress.getByAddress(host, UNRESOLVED)));
            return;
        }
        // Unresolved: it is the proxy's name that is looked up then, once per connection.
        client.proxy(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(proxy.host(), proxy.port())));
        if (!proxy.user().isEmpty()) {
            String header = Credentials.basic(proxy.user(), proxy.password(), StandardCharsets.UTF_8);
            // For https:// servers the proxy alone sees it, in its CONNECT. What goes to an http:// server goes through
            // the proxy's hands as it is: shown at once, as a body that was refused would not be sent a second time.
            client.addInterceptor(chain -> chain.proceed(
                    chain.request().isHttps()
                            ? chain.request()
                            : chain.request()
                                    .newBuilder()
                                    .header("Proxy-Authorization", header)
                                    .build()));
            client.proxyAuthenticator((route, response) -> response.request().header("Proxy-Authorization") != null
                    ? null
                    : response.request()
                            .newBuilder()
                            .header("Proxy-Authorization", header)
                            .build());
        }
    }
}
