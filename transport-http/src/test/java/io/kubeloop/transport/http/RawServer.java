/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.tls.HeldCertificate;

/**
 * A server on loopback that writes exactly the given bytes, and closes or holds its connections under control of the
 * test.
 */
final class RawServer implements Closeable {

    /** The behavior on one connection, after the headers of the request. The socket is closed afterwards. */
    interface Script {
        void run(Socket socket, String requestLine) throws Exception;
    }

    private static final int BACKLOG = 200;

    private final String scheme;
    private final ServerSocket listener;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final Script script;

    RawServer(Script script) throws IOException {
        this("http", new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), script);
    }

    private RawServer(String scheme, ServerSocket listener, Script script) {
        this.scheme = scheme;
        this.listener = listener;
        this.script = script;
        daemon("raw-server", this::acceptAll);
    }

    /** Returns a server with this certificate. */
    static RawServer overTls(HeldCertificate certificate, Script script) throws IOException {
        ServerSocket listener =
                LoopbackTls.listening(certificate).createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        return new RawServer("https", listener, script);
    }

    String url() {
        return scheme + "://127.0.0.1:" + listener.getLocalPort();
    }

    int requests() {
        return requests.get();
    }

    private void acceptAll() throws IOException {
        while (!listener.isClosed()) {
            Socket socket = listener.accept();
            sockets.add(socket);
            daemon("raw-connection", () -> serve(socket));
        }
    }

    private void serve(Socket socket) throws Exception {
        try (socket) {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
            String requestLine = in.readLine();
            if (requestLine == null) {
                return;
            }
            int length = 0;
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(line.substring(15).trim());
                }
            }
            while (length-- > 0) {
                in.read();
            }
            requests.incrementAndGet();
            script.run(socket, requestLine);
        }
    }

    static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    /** Returns the headers of a chunked response. */
    static String chunkedHead() {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    /** Returns one chunk. */
    static String chunk(String content) {
        return Integer.toHexString(content.getBytes(java.nio.charset.StandardCharsets.UTF_8).length) + "\r\n" + content
                + "\r\n";
    }

    /** Returns a complete response. */
    static String answer(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(java.nio.charset.StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    private static void daemon(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (Exception closedByTest) {
                        // A closed socket ends the thread; the test observes the client.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
