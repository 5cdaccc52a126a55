/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import jdk.net.ExtendedSocketOptions;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a proxy: the configuration's, else the environment's, else the one of the JVM's system properties.
 * Immutable.
 *
 * <p>OkHttp supports HTTP proxies. Proxies over TLS and SOCKS proxies are presented to OkHttp in a form that it
 * supports.
 *
 * @param proxy the proxy; null for none, apart from the JVM's
 * @param direct whether the JVM's own settings are ignored
 */
public record ProxySetup(@Nullable ProxyAddress proxy, boolean direct) {

    private static final byte[] UNRESOLVED = new byte[4];

    /**
     * Chooses the proxy.
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

    /** Returns the text that messages add to the server's address: the proxy, if there is one. */
    public String suffix() {
        return proxy == null ? "" : " through proxy " + proxy;
    }

    /** Returns whether the connection to the proxy is encrypted. */
    public boolean isEncrypted() {
        return proxy != null && proxy.scheme() == ProxyAddress.Scheme.HTTPS;
    }

    /**
     * Returns the factory of the client's sockets.
     *
     * @param tls secures the connection to a proxy that is reached over TLS; null if there is no such proxy
     */
    public SocketFactory sockets(@Nullable SSLSocketFactory tls) {
        if (proxy == null) {
            return new InterruptibleSockets();
        }
        return switch (proxy.scheme()) {
            case HTTP -> new InterruptibleSockets();
            case HTTPS -> new TunnelSockets(raw -> new TlsProxySocket(raw, proxy, Objects.requireNonNull(tls)));
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
            // OkHttp treats this as a direct connection. The proxy resolves names, which this machine may not know.
            client.proxy(Proxy.NO_PROXY);
            client.dns(host -> List.of(InetAddress.getByAddress(host, UNRESOLVED)));
            return;
        }
        // Unresolved, so the name of the proxy is resolved once per connection.
        client.proxy(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(proxy.host(), proxy.port())));
        if (!proxy.user().isEmpty()) {
            String header = Credentials.basic(proxy.user(), proxy.password(), StandardCharsets.UTF_8);
            // For https:// servers, only the proxy receives this header, in its CONNECT request. A request to an
            // http:// server passes through the proxy unchanged, so the header is sent at once: a rejected body would
            // not be sent a second time.
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

    /**
     * A socket to an HTTP proxy that is reached over TLS. As upstream, the proxy is verified with the authorities of
     * the API server, and receives the same client certificate. The certificate of the proxy must have the name of the
     * proxy.
     */
    private static final class TlsProxySocket extends TunnelSocket {

        private final ProxyAddress proxy;
        private final SSLSocketFactory tls;
        private volatile @Nullable SSLSocket secured;

        TlsProxySocket(Socket raw, ProxyAddress proxy, SSLSocketFactory tls) {
            super(raw);
            this.proxy = proxy;
            this.tls = tls;
        }

        @Override
        public void connect(SocketAddress peer, int timeoutMillis) throws IOException {
            connectTo(proxy, timeoutMillis);
            SSLSocket socket = (SSLSocket) tls.createSocket(raw(), proxy.host(), proxy.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setApplicationProtocols(new String[] {"http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            secured = socket;
        }

        private Socket secured() {
            Socket socket = secured;
            return socket == null ? raw() : socket;
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return secured().getInputStream();
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return secured().getOutputStream();
        }
    }

    /** Makes sockets that reach their peer through a proxy. Thread-safe. */
    private static final class TunnelSockets extends SocketFactory {

        /** Wraps a socket that is not connected yet. */
        interface Wrapper {
            Socket wrap(Socket raw) throws IOException;
        }

        private final SocketFactory raw = new InterruptibleSockets();
        private final Wrapper wrapper;

        TunnelSockets(Wrapper wrapper) {
            this.wrapper = wrapper;
        }

        @Override
        public Socket createSocket() throws IOException {
            return wrapper.wrap(raw.createSocket());
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw onlyUnconnected();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw onlyUnconnected();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw onlyUnconnected();
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
            throw onlyUnconnected();
        }

        private static UnsupportedOperationException onlyUnconnected() {
            return new UnsupportedOperationException(
                    "a socket through a proxy must be created unconnected and connected afterwards");
        }
    }

    /**
     * Makes sockets that react to interrupts. Connect, read and write fail at once when the thread is or becomes
     * interrupted, and the socket is closed. The JDK offers this for all sockets of virtual threads, but for other
     * threads only for the socket of a channel.
     *
     * <p>TCP keep-alive probes start after 30 s of silence, follow every 15 s, and end the connection after four
     * unanswered ones (upstream starts after 30 s as well). On platforms that do not allow these settings, the
     * platform's own values apply.
     *
     * <p>Thread-safe.
     */
    private static final class InterruptibleSockets extends SocketFactory {

        private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
                ExtendedSocketOptions.TCP_KEEPIDLE, 30,
                ExtendedSocketOptions.TCP_KEEPINTERVAL, 15,
                ExtendedSocketOptions.TCP_KEEPCOUNT, 4);

        @Override
        public Socket createSocket() throws IOException {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
                    if (channel.supportedOptions().contains(option.getKey())) {
                        channel.setOption(option.getKey(), option.getValue());
                    }
                }
                return channel.socket();
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return connected(new InetSocketAddress(host, port), null);
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
            return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return connected(new InetSocketAddress(host, port), null);
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
                throws IOException {
            return connected(new InetSocketAddress(address, port), new InetSocketAddress(localAddress, localPort));
        }

        private Socket connected(InetSocketAddress peer, @org.jspecify.annotations.Nullable InetSocketAddress local)
                throws IOException {
            Socket socket = createSocket();
            try {
                if (local != null) {
                    socket.bind(local);
                }
                socket.connect(peer);
                return socket;
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
        }
    }
}
