/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Forwards bytes between clients and a server on loopback. On request it discards all bytes and leaves the
 * connections open, like a peer that disappears without closing them. Thread-safe.
 */
public final class Forwarder implements Closeable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final int target;

    /**
     * The number of calls that silenced the open connections. A connection that is older than the last call
     * forwards nothing.
     */
    private final AtomicInteger holes = new AtomicInteger();

    private volatile boolean silent;

    /** Starts to listen on a free port. */
    public Forwarder(int target) throws IOException {
        this.target = target;
        daemon(() -> {
            while (true) {
                Socket client = listener.accept();
                int born = holes.get();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
                sockets.add(client);
                sockets.add(server);
                daemon(() -> copy(client.getInputStream(), server.getOutputStream(), born));
                daemon(() -> copy(server.getInputStream(), client.getOutputStream(), born));
            }
        });
    }

    /** Returns the port. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Discards from now on all bytes of the open connections. */
    public void swallow() {
        holes.incrementAndGet();
    }

    /** Discards from now on all bytes; new connections are accepted but get no response. */
    public void swallowAll() {
        silent = true;
        swallow();
    }

    /** Serves new connections again; the silenced connections stay silent. */
    public void serveNewConnections() {
        holes.incrementAndGet();
        silent = false;
    }

    private void copy(InputStream in, OutputStream out, int born) throws IOException {
        byte[] bytes = new byte[8192];
        for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
            if (holes.get() == born && !silent) {
                out.write(bytes, 0, n);
            }
        }
    }

    private interface Body {
        void run() throws IOException;
    }

    private static void daemon(Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (IOException closedByTest) {
                        // Ends the thread; the test checks only what the client observes.
                    }
                },
                "forwarder");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
