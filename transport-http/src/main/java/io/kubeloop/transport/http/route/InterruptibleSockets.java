/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;

/**
 * Makes sockets that react to interrupts. Connect, read and write fail at once when the thread is or becomes
 * interrupted, and the socket is closed. The JDK offers this for all sockets of virtual threads, but for other threads
 * only for the socket of a channel.
 *
 * <p>TCP keep-alive probes start after 30 s of silence, follow every 15 s, and end the connection after four unanswered
 * ones (upstream starts after 30 s as well). On platforms that do not allow these settings, the platform's own values
 * apply.
 *
 * <p>Thread-safe.
 */
public final class InterruptibleSockets extends SocketFactory {

    private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 30,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 15,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 4);

    @Override
    public Socket createSocket() throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
                if (channel.supportedOptions().contains(option.getKey())) {
                    channel.setOption(option.getKey(), option.getValue());
                }
            }
            return channel.socket();
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return connected(new InetSocketAddress(address, port), new InetSocketAddress(localAddress, localPort));
    }

    private Socket connected(InetSocketAddress peer, @org.jspecify.annotations.Nullable InetSocketAddress local)
            throws IOException {
        Socket socket = createSocket();
        try {
            if (local != null) {
                socket.bind(local);
            }
            socket.connect(peer);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }
}
