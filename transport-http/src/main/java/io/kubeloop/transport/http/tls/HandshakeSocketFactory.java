/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;

/**
 * Layers TLS over connected sockets: sets the name for SNI, and the timeout of the handshake. OkHttp would wait for a
 * handshake as long as for a response. Thread-safe.
 */
final class HandshakeSocketFactory extends SSLSocketFactory {

    private final SSLSocketFactory delegate;
    private final String serverName;
    private final int silenceMillis;

    /**
     * Makes a factory.
     *
     * @param serverName the name for SNI, independent of the server's address; empty for the host of the address
     * @param silence the longest silence of the server; OkHttp sets the timeout of the socket again after the handshake
     */
    HandshakeSocketFactory(SSLSocketFactory delegate, String serverName, Duration silence) {
        this.delegate = delegate;
        this.serverName = serverName;
        this.silenceMillis = Math.toIntExact(silence.toMillis());
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        Socket secured = delegate.createSocket(socket, KubeconfigDefaults.either(serverName, host), port, autoClose);
        secured.setSoTimeout(silenceMillis);
        return secured;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return delegate.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return delegate.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw onlyOverASocket();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw onlyOverASocket();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw onlyOverASocket();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw onlyOverASocket();
    }

    private static UnsupportedOperationException onlyOverASocket() {
        return new UnsupportedOperationException("TLS is only layered over a connected socket here");
    }
}
