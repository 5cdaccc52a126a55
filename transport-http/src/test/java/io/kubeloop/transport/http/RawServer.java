/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kubeloop.testing.LoopbackServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;
import okhttp3.tls.HeldCertificate;

/**
 * A server on loopback that writes exactly the given bytes, and closes or holds its connections under control of the
 * test.
 */
final class RawServer implements Closeable {

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    /** The behavior on one connection, after the headers of the request. The socket is closed afterwards. */
    interface Script {
        void run(Socket socket, String requestLine) throws Exception;
    }

    private final String scheme;
    private final LoopbackServer server;
    private final AtomicInteger requests = new AtomicInteger();
    private final Script script;

    RawServer(Script script) throws IOException {
        this("http", ServerSocketFactory.getDefault(), script);
    }

    private RawServer(String scheme, ServerSocketFactory sockets, Script script) throws IOException {
        this.scheme = scheme;
        this.script = script;
        this.server = new LoopbackServer(LoopbackServer.listener(sockets), this::serve);
    }

    /** Returns a server with this certificate. */
    static RawServer overTls(HeldCertificate certificate, Script script) throws IOException {
        return new RawServer("https", LoopbackTls.listening(certificate), script);
    }

    String url() {
        return server.url(scheme);
    }

    int requests() {
        return requests.get();
    }

    private void serve(Socket socket) throws Exception {
        String head = LoopbackServer.head(socket.getInputStream());
        if (head.isEmpty()) {
            return;
        }
        Matcher length = LENGTH.matcher(head);
        socket.getInputStream().readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        requests.incrementAndGet();
        script.run(socket, head.substring(0, head.indexOf("\r\n")));
    }

    static void write(Socket socket, String text) throws IOException {
        LoopbackServer.write(socket, text);
    }

    /** Returns the headers of a chunked response. */
    static String chunkedHead() {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    /** Returns one chunk. */
    static String chunk(String content) {
        return Integer.toHexString(content.getBytes(UTF_8).length) + "\r\n" + content + "\r\n";
    }

    /** Returns a complete response. */
    static String answer(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.getBytes(UTF_8).length
                + "\r\n\r\n" + body;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
