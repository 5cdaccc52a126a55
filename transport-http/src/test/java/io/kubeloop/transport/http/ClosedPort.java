package io.kubeloop.transport.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port on loopback at which nobody listens, nor can anybody else begin to until this is closed. */
final class ClosedPort implements Closeable {

    private final Socket bound = new Socket();

    ClosedPort() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    int number() {
        return bound.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
