/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.webhooks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Adds TLS to connected sockets and requires a certificate for a given name, which may differ from the host of the
 * connection. The certificate of a service has the name of the service, not the address behind it. Immutable;
 * thread-safe.
 */
final class NamedServerSockets extends SSLSocketFactory {

    private final SSLSocketFactory sockets;
    private final String name;

    NamedServerSockets(SSLSocketFactory sockets, String name) {
        this.sockets = sockets;
        // The host of a URL with an IPv6 address has brackets.
        this.name = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
    }

    @Override
    public Socket createSocket(Socket connected, String host, int port, boolean autoClose) throws IOException {
        SSLSocket socket = (SSLSocket) sockets.createSocket(connected, name, port, autoClose);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw unconnected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        throw unconnected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw unconnected();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        throw unconnected();
    }

    private static SocketException unconnected() {
        return new SocketException("only adds TLS to connected sockets");
    }
}
