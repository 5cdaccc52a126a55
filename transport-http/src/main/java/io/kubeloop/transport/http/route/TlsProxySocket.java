/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A socket to an HTTP proxy that is reached over TLS. As upstream, the proxy is verified with the authorities of the
 * API server, and receives the same client certificate. The certificate of the proxy must have the name of the proxy.
 */
final class TlsProxySocket extends TunnelSocket {

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
