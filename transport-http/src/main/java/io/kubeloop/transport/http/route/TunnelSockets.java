package io.kubeloop.transport.http.route;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes sockets that reach their peer through something. Thread-safe. */
final class TunnelSockets extends SocketFactory {

    /** Puts a socket around another one that is not connected yet. */
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
        return new UnsupportedOperationException("sockets through a proxy are made first and connected then");
    }
}
