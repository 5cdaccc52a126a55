/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that sends any bytes, which other clients refuse to. Confined to one thread. */
final class RawClient implements AutoCloseable {

    private final Socket socket;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
    }

    /** Sends a request for a target as it is, and returns all that the server answers. */
    String get(String target) throws IOException {
        send(("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Sends bytes; a server that has closed the connection already receives none. */
    void send(byte[] bytes) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            // The server has closed the connection, which the next read shows.
        }
    }

    /** Ends the request side, reads until the server closes, and returns what it has sent. */
    String drain() throws IOException {
        try {
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            return ""; // the server has reset the connection
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
