package io.kubeloop.transport.http.tls;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;

/**
 * Puts TLS over connected sockets: says for which name a certificate is asked (SNI), and how long the handshake may be silent.
 * OkHttp would wait for it as long as for an answer.
 */
final class HandshakeSocketFactory extends SSLSocketFactory {

    private final SSLSocketFactory delegate;
    private final String serverName;
    private final int silenceMillis;

    /**
     * Makes a factory.
     *
     * @param serverName the name, whatever host the server was reached by; empty for the host's own
     * @param silence how long the server may be silent; OkHttp sets the socket's limit anew after the handshake
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
