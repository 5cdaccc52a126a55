package io.kubeloop.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port on loopback at which nobody listens, nor can anybody else begin to until this is closed. */
public final class ClosedPort implements Closeable {

    private final Socket bound = new Socket();

    /** Takes a port. */
    public ClosedPort() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Returns its number. */
    public int number() {
        return bound.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
