package io.kubeloop.transport.memory;

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
 * Forwards bytes both ways between clients and a server on loopback; told so, it swallows them, and leaves the connections open:
 * a peer that is gone without a word. Thread-safe.
 */
public final class Forwarder implements Closeable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final int target;

    /** How often what was open fell silent: a connection that was born before the last time passes on nothing any more. */
    private final AtomicInteger holes = new AtomicInteger();

    private volatile boolean silent;

    /** Begins to listen, on a port that was free. */
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

    /** Swallows from now on what comes over the connections that are open. */
    public void swallow() {
        holes.incrementAndGet();
    }

    /** Swallows everything from now on, also what comes over new connections: they are accepted, and that is all. */
    public void swallowAll() {
        silent = true;
        swallow();
    }

    /** Serves new connections again; those of the silent time stay silent. */
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
                        // Ends the thread; what matters is what the client sees.
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
