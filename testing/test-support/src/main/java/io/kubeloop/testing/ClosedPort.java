/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port on the loopback interface without a listener. No process can listen on it until this object is closed. */
public final class ClosedPort implements Closeable {

    private final Socket bound = new Socket();

    /** Reserves a port. */
    public ClosedPort() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Returns the port number. */
    public int number() {
        return bound.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
