/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes sockets that reach their peer through a proxy. Thread-safe. */
final class TunnelSockets extends SocketFactory {

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
