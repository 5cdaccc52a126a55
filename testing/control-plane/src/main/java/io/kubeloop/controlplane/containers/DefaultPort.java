/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Answers a connection to a port without a script: an HTTP request by a text, and other bytes by themselves. */
final class DefaultPort {

    private static final int LONGEST_HEAD = 64 << 10;
    private static final String END = "\r\n\r\n";

    private DefaultPort() {}

    static void answer(SimulatedContainers.Connection connection) throws IOException {
        InputStream in = connection.input();
        byte[] buffer = new byte[8 << 10];
        int n = in.read(buffer);
        if (n < 0) {
            return;
        }
        if (!isRequest(buffer, n)) {
            connection.output().write(buffer, 0, n);
            connection.output().flush();
            in.transferTo(connection.output());
            return;
        }
        StringBuilder head = new StringBuilder();
        while (n >= 0) {
            head.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            boolean isComplete = head.length() >= LONGEST_HEAD || head.indexOf(END) >= 0;
            n = isComplete ? -1 : in.read(buffer);
        }
        String request = head.substring(0, Math.max(0, head.indexOf("\r\n")));
        byte[] body = ("pod " + connection.pod().name() + ", port " + connection.port() + ": "
                        + request.replace(" HTTP/1.1", "") + "\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        String answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + body.length
                + "\r\nConnection: close\r\n\r\n";
        connection.output().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        connection.output().write(body);
        connection.output().flush();
    }

    /** Returns whether bytes begin as an HTTP request does: a method in capitals, a blank, and a path. */
    private static boolean isRequest(byte[] bytes, int length) {
        int i = 0;
        while (i < length && bytes[i] >= 'A' && bytes[i] <= 'Z') {
            i++;
        }
        return i > 0 && i + 1 < length && bytes[i] == ' ' && bytes[i + 1] == '/';
    }
}
