package io.kubeloop.transport.memory.http.wire;

import io.kubeloop.transport.memory.http.HttpLimits;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection: a request after the other, until one side has had enough. */
final class HttpConnection {

    private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

    /** For how long a connection that is closed with bytes unread is read, so that the client gets to see the answer. */
    private static final Duration LINGER = Duration.ofMillis(500);

    // H1: serve runs on the connection's thread alone; end, abort and isBlockedSince on any.
    // H2: a connection is idle while no request is whole: before, in and after the handshake, and until a request's
    //     head has been read. ending is set before idle is looked at, and idle set to false before ending is: whoever
    //     ends it either sees it idle and wakes it up, or is seen before the request is served.
    // H3: raw is the TCP connection itself, socket the same or TLS over it. Closing TLS says goodbye, and waits for a
    //     writer whom the client keeps blocked: only the connection's thread closes socket, all others act on raw.
    private final ClientSocket raw;
    private final Socket socket;
    private final HttpLimits limits;
    private final HttpListener.Handler handler;
    private final OutputStream out;
    private final SocketInput in;
    private volatile boolean idle = true;
    private volatile boolean ending;

    /**
     * Makes a connection of a socket that was accepted.
     *
     * @param tls makes it TLS, or null
     */
    HttpConnection(ClientSocket raw, @Nullable SSLContext tls, HttpLimits limits, HttpListener.Handler handler)
            throws IOException {
        this.raw = raw;
        this.socket = tls == null ? raw : secure(raw, tls);
        this.limits = limits;
        this.handler = handler;
        this.in = new SocketInput(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    private static SSLSocket secure(Socket raw, SSLContext tls) throws IOException {
        SSLSocket secure = (SSLSocket)
                tls.getSocketFactory().createSocket(raw, raw.getInetAddress().getHostAddress(), raw.getPort(), true);
        secure.setUseClientMode(false);
        secure.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        return secure;
    }

    void serve() {
        try (socket) {
            raw.setTcpNoDelay(true);
            raw.allow(limits.headerTimeout());
            if (socket instanceof SSLSocket tls) {
                tls.startHandshake();
            }
            boolean more = true;
            while (more) {
                more = awaitRequest() && serveNext();
            }
            raw.allow(LINGER); // TLS may read once more to say goodbye
        } catch (SocketTimeoutException | EOFException e) {
            log.debug("A connection was given up: client={} reason={}", client(), e.getMessage());
        } catch (IOException e) {
            log.debug("A connection broke: client={} error={}", client(), e.toString());
        }
    }

    private boolean awaitRequest() throws IOException {
        idle = true;
        raw.allow(limits.idleTimeout());
        return !ending && in.hasMore();
    }

    /** Serves a request; returns whether another may follow. */
    private boolean serveNext() throws IOException {
        try {
            raw.allow(limits.headerTimeout());
            RequestHead head = RequestHead.read(in, limits.maxHeaderBytes());
            idle = false;
            if (ending) {
                return false;
            }
            RequestBody body = new RequestBody(in, head.bodyLength(), () -> sendContinue(head));
            raw.allow(limits.bodyTimeout());
            HttpServerExchange exchange = new HttpServerExchange(head, body, out);
            handler.handle(exchange);
            if (exchange.keepsAlive()) {
                return true;
            }
        } catch (MalformedRequestException e) {
            replyMalformed(e);
        }
        linger();
        return false;
    }

    private void sendContinue(RequestHead head) throws IOException {
        if (head.expectsContinue()) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** In plain text: it is HTTP that went wrong, not a request of the API. */
    private void replyMalformed(MalformedRequestException failure) throws IOException {
        byte[] text = (failure.code() + ": " + failure.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
        String top = "HTTP/1.1 " + failure.code() + " \r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + text.length + "\r\nConnection: close\r\n\r\n";
        out.write(top.getBytes(StandardCharsets.ISO_8859_1));
        out.write(text);
    }

    /** Closing a socket that has unread bytes resets it, and the client might lose the answer to what it sent. */
    private void linger() throws IOException {
        socket.shutdownOutput();
        raw.allow(LINGER);
        byte[] ignored = new byte[8 << 10];
        int n = 0;
        while (n >= 0) {
            n = in.read(ignored, 0, ignored.length);
        }
    }

    /** Lets the request at hand finish, and no other begin. Does not block. */
    void end() {
        ending = true;
        if (!idle) {
            return;
        }
        if (raw == socket) {
            abort();
            return;
        }
        try {
            // The connection's thread reads an end, and says goodbye: a client of TLS must be able to tell it from a
            // cut.
            raw.shutdownInput();
        } catch (IOException e) {
            log.debug("A socket was closed already: client={} error={}", client(), e.toString());
        }
    }

    /** Cuts the connection, whatever is going on. Does not block. */
    void abort() {
        try {
            raw.close();
        } catch (IOException e) {
            log.debug("A socket could not be closed: client={} error={}", client(), e.toString());
        }
    }

    boolean isBlockedSince(long nanos) {
        return raw.isBlockedSince(nanos);
    }

    private String client() {
        return String.valueOf(raw.getRemoteSocketAddress());
    }
}
