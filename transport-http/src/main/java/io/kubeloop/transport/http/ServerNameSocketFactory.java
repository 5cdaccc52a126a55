package io.kubeloop.transport.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/** Asks every server for a certificate of one name (SNI), whatever host it was reached by. */
final class ServerNameSocketFactory extends SSLSocketFactory {

    private final SSLSocketFactory delegate;
    private final String serverName;

    ServerNameSocketFactory(SSLSocketFactory delegate, String serverName) {
        this.delegate = delegate;
        this.serverName = serverName;
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return delegate.createSocket(socket, serverName, port, autoClose);
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
