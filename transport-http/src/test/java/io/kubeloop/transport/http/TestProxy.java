/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kubeloop.testing.LoopbackServer;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;

/** A proxy on loopback, for CONNECT or SOCKS5. It forwards everything to one server and records its input. */
final class TestProxy implements Closeable {

    private interface Greeting {
        boolean greet(Socket client, List<String> seen) throws IOException;
    }

    private final LoopbackServer server;
    private final int target;
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final Greeting greeting;

    private TestProxy(ServerSocketFactory sockets, int target, Greeting greeting) throws IOException {
        this.target = target;
        this.greeting = greeting;
        this.server = new LoopbackServer(LoopbackServer.listener(sockets), this::serve);
    }

    /** Returns a proxy for CONNECT; over TLS if the server socket uses TLS. */
    static TestProxy connect(ServerSocketFactory sockets, int target) throws IOException {
        return new TestProxy(sockets, target, TestProxy::connectGreeting);
    }

    /** Returns a SOCKS5 proxy. The login is {@code user:password}, or empty for none; the reply is a SOCKS code. */
    static TestProxy socks(int target, String login, int reply) throws IOException {
        return new TestProxy(
                ServerSocketFactory.getDefault(), target, (client, seen) -> socksGreeting(client, seen, login, reply));
    }

    private void serve(Socket client) throws IOException {
        if (greeting.greet(client, seen)) {
            server.forward(client, target);
        }
    }

    int port() {
        return server.port();
    }

    /** Returns the requests of clients, with their credentials. */
    List<String> seen() {
        return List.copyOf(seen);
    }

    private static boolean connectGreeting(Socket client, List<String> seen) throws IOException {
        String head = LoopbackServer.head(client.getInputStream());
        if (head.isEmpty()) {
            return false;
        }
        seen.add(head.substring(0, head.indexOf(" HTTP/")));
        head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("proxy-authorization:"))
                .forEach(seen::add);
        LoopbackServer.write(client, "HTTP/1.1 200 Connected\r\n\r\n");
        return true;
    }

    private static boolean socksGreeting(Socket client, List<String> seen, String login, int reply) throws IOException {
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

    @Override
    public void close() throws IOException {
        server.close();
    }
}
