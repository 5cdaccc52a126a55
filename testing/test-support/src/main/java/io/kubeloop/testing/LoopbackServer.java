/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ServerSocketFactory;

/**
 * A server on loopback whose script decides each byte of a connection. Each connection has a thread of its own. An
 * exception of the script, such as that of a closed socket, ends its connection. Thread-safe.
 */
public final class LoopbackServer implements Closeable {

    private static final int BACKLOG = 200;

    /** The server's side of one connection. The socket is closed afterwards. */
    @FunctionalInterface
    public interface Script {

        /** Reads and writes until the connection ends. */
        void run(Socket socket) throws Exception;
    }

    private final ServerSocket listener;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    /** Starts a server on a free port. */
    public LoopbackServer(Script script) throws IOException {
        this(listener(ServerSocketFactory.getDefault()), script);
    }

    /** Starts a server on an open socket, which it closes. */
    public LoopbackServer(ServerSocket listener, Script script) {
        this.listener = listener;
        start(() -> {
            while (true) {
                Socket socket = track(listener.accept());
                start(() -> {
                    try (socket) {
                        script.run(socket);
                    }
                });
            }
        });
    }

    /** Returns a socket that listens on a free port of loopback. */
    public static ServerSocket listener(ServerSocketFactory factory) throws IOException {
        return factory.createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    }

    /** Returns the port. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the URL of this server, such as {@code http://127.0.0.1:1234}. */
    public String url(String scheme) {
        return scheme + "://127.0.0.1:" + port();
    }

    /** Returns whether {@link #close} was called. */
    public boolean isClosed() {
        return listener.isClosed();
    }

    /** Forwards a connection to another port of loopback until one side ends. */
    public void forward(Socket client, int port) throws IOException {
        Socket server = track(new Socket(InetAddress.getLoopbackAddress(), port));
        start(() -> server.getInputStream().transferTo(client.getOutputStream()));
        client.getInputStream().transferTo(server.getOutputStream());
    }

    private Socket track(Socket socket) throws IOException {
        sockets.add(socket);
        if (isClosed()) {
            socket.close();
        }
        return socket;
    }

    /**
     * Reads the head of an HTTP message with the empty line behind it, and nothing more.
     *
     * @return the head; empty if the peer has closed the connection
     */
    public static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    /** Writes text in UTF-8. */
    public static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.getOutputStream().flush();
    }

    /** Ends all connections. */
    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private interface Task {
        void run() throws Exception;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (Exception ended) {
                        // A test closes sockets while they are in use, and observes what its client then does.
                    }
                },
                "loopback-server");
        thread.setDaemon(true);
        thread.start();
    }
}
