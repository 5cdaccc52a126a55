/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A socket through a SOCKS proxy of version 5 (RFC 1928), with user name and password if configured (RFC 1929). The
 * proxy resolves host names.
 *
 * <p>The JDK's own SOCKS implementation takes credentials only from a setting of the whole JVM.
 */
final class Socks5Socket extends TunnelSocket {

    private static final int VERSION = 5;
    private static final int NO_AUTHENTICATION = 0;
    private static final int USER_AND_PASSWORD = 2;
    private static final int CONNECT = 1;
    private static final int IPV4 = 1;
    private static final int NAME = 3;
    private static final int IPV6 = 4;

    private final ProxyAddress proxy;

    Socks5Socket(Socket raw, ProxyAddress proxy) {
        super(raw);
        this.proxy = proxy;
    }

    @Override
    public void connect(SocketAddress peer, int timeoutMillis) throws IOException {
        InetSocketAddress target = (InetSocketAddress) peer;
        connectTo(proxy, timeoutMillis);
        DataInputStream in = new DataInputStream(getInputStream());
        OutputStream out = getOutputStream();
        authenticate(in, out);
        out.write(request(target));
        out.flush();
        expect(in.readUnsignedByte() == VERSION, "is not a SOCKS5 proxy");
        int reply = in.readUnsignedByte();
        expect(reply == 0, "cannot connect to " + target.getHostString() + ": " + reason(reply));
        in.readUnsignedByte();
        int boundAddress = switch (in.readUnsignedByte()) {
            case IPV4 -> 4;
            case IPV6 -> 16;
            default -> in.readUnsignedByte();
        };
        in.readFully(new byte[boundAddress + 2]);
    }

    private void authenticate(DataInputStream in, OutputStream out) throws IOException {
        boolean known = !proxy.user().isEmpty();
        out.write(
                known
                        ? new byte[] {VERSION, 2, NO_AUTHENTICATION, USER_AND_PASSWORD}
                        : new byte[] {VERSION, 1, NO_AUTHENTICATION});
        out.flush();
        expect(in.readUnsignedByte() == VERSION, "is not a SOCKS5 proxy");
        int method = in.readUnsignedByte();
        if (method == NO_AUTHENTICATION) {
            return;
        }
        expect(
                method == USER_AND_PASSWORD && known,
                "requires a user name and password, or a method that is not supported");
        ByteArrayOutputStream login = new ByteArrayOutputStream();
        login.write(1);
        writeShort(login, proxy.user());
        writeShort(login, proxy.password());
        out.write(login.toByteArray());
        out.flush();
        in.readUnsignedByte();
        expect(in.readUnsignedByte() == 0, "refused the user name or password");
    }

    private void writeShort(ByteArrayOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        expect(bytes.length <= 255, "accepts names and passwords of at most 255 bytes");
        out.write(bytes.length);
        out.writeBytes(bytes);
    }

    private byte[] request(InetSocketAddress target) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(new byte[] {VERSION, CONNECT, 0});
        byte[] address = IpAddresses.parse(target.getHostString());
        if (address != null) {
            request.write(address.length == 4 ? IPV4 : IPV6);
            request.writeBytes(address);
        } else {
            request.write(NAME);
            writeShort(request, target.getHostString());
        }
        request.write(target.getPort() >> 8);
        request.write(target.getPort());
        return request.toByteArray();
    }

    private static String reason(int reply) {
        return switch (reply) {
            case 2 -> "its rules forbid it";
            case 3 -> "network unreachable";
            case 4 -> "host unreachable";
            case 5 -> "connection refused";
            case 6 -> "it took too long";
            default -> "SOCKS error " + reply;
        };
    }

    private void expect(boolean fine, String problem) throws ConnectException {
        if (!fine) {
            throw new ConnectException("proxy " + proxy + " " + problem);
        }
    }
}
