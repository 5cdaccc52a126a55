/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ServerSocketFactory;

/** A proxy on loopback, for CONNECT or SOCKS5. It forwards everything to one server and records its input. */
final class TestProxy implements Closeable {

    private interface Greeting {
        boolean greet(Socket client) throws IOException;
    }

    private final ServerSocket listener;
    private final int target;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final List<String> seen = java.util.Collections.synchronizedList(new ArrayList<>());
    private final Greeting greeting;

    private TestProxy(ServerSocketFactory sockets, int target, Greeting greeting) throws IOException {
        this.listener = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        this.greeting = greeting;
        daemon(this::acceptAll);
    }

    /** Returns a proxy for CONNECT; over TLS if the server socket uses TLS. */
    static TestProxy connect(ServerSocketFactory sockets, int target) throws IOException {
        TestProxy[] self = new TestProxy[1];
        self[0] = new TestProxy(sockets, target, client -> self[0].connectGreeting(client));
        return self[0];
    }

    /** Returns a SOCKS5 proxy. The login is {@code user:password}, or empty for none; the reply is a SOCKS code. */
    static TestProxy socks(int target, String login, int reply) throws IOException {
        TestProxy[] self = new TestProxy[1];
        self[0] = new TestProxy(
                ServerSocketFactory.getDefault(), target, client -> self[0].socksGreeting(client, login, reply));
        return self[0];
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns the requests of clients, with their credentials. */
    List<String> seen() {
        return List.copyOf(seen);
    }

    private boolean connectGreeting(Socket client) throws IOException {
        StringBuilder head = new StringBuilder();
        InputStream in = client.getInputStream();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                return false;
            }
            head.append((char) b);
        }
        seen.add(head.substring(0, head.indexOf(" HTTP/")));
        head.toString()
                .lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("proxy-authorization:"))
                .forEach(seen::add);
        client.getOutputStream().write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(ISO_8859_1));
        return true;
    }

    private boolean socksGreeting(Socket client, String login, int reply) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = client.getOutputStream();
        in.readUnsignedByte();
        in.readFully(new byte[in.readUnsignedByte()]);
        out.write(new byte[] {5, (byte) (login.isEmpty() ? 0 : 2)});
        if (!login.isEmpty()) {
            in.readUnsignedByte();
            String given = text(in) + ":" + text(in);
            boolean fine = given.equals(login);
            out.write(new byte[] {1, (byte) (fine ? 0 : 1)});
            if (!fine) {
                return false;
            }
        }
        in.readFully(new byte[3]);
        int kind = in.readUnsignedByte();
        byte[] address = new byte[kind == 1 ? 4 : kind == 4 ? 16 : in.readUnsignedByte()];
        in.readFully(address);
        int port = in.readUnsignedShort();
        seen.add((kind == 3
                        ? new String(address, UTF_8)
                        : InetAddress.getByAddress(address).getHostAddress()) + ":" + port);
        out.write(new byte[] {5, (byte) reply, 0, 1, 0, 0, 0, 0, 0, 0});
        return reply == 0;
    }

    private static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readUnsignedByte()];
        in.readFully(bytes);
        return new String(bytes, UTF_8);
    }

    private void acceptAll() throws IOException {
        while (!listener.isClosed()) {
            Socket client = listener.accept();
            sockets.add(client);
            daemon(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client) {
            if (greeting.greet(client)) {
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(server);
                daemon(() -> server.getInputStream().transferTo(client.getOutputStream()));
                client.getInputStream().transferTo(server.getOutputStream());
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
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
                        // Ends the thread; the test observes the client.
                    }
                },
                "test-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
