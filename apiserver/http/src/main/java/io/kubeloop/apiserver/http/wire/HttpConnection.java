/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection of one client: serves its requests one after the other, until either side ends it. */
final class HttpConnection {

    private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

    /**
     * The time for which the server discards the rest of a request before it closes the connection, so the
     * client receives the response.
     */
    private static final Duration LINGER = Duration.ofMillis(500);

    /*
     * Invariants:
     *   H1  serve runs on the connection's thread only; end, abort and isBlockedSince on any thread.
     *   H2  A connection is idle until the head of a request has been read, including the handshake and the time
     *       between requests. end() sets ending before it reads idle, and the connection's thread clears idle
     *       before it reads ending. Therefore either end() finds the connection idle and wakes it, or the thread
     *       finds ending set before it serves the request.
     *   H3  raw is the TCP connection; socket is the same, or TLS on top of it. Closing TLS sends a closing
     *       message and waits for a writer that the client blocks. Therefore only the connection's thread closes
     *       socket; all other threads act on raw.
     */
    private final ClientSocket raw;
    private final Socket socket;
    private final ConnectionLimits limits;
    private final HttpListener.Handler handler;
    private final OutputStream out;
    private final SocketInput in;
    private volatile boolean idle = true;
    private volatile boolean served;
    private volatile long idleSince = System.nanoTime();
    private volatile boolean ending;

    /**
     * Creates a connection for an accepted socket.
     *
     * @param tls the server's side of TLS; null for plain HTTP
     */
    HttpConnection(ClientSocket raw, @Nullable ServerTls tls, ConnectionLimits limits, HttpListener.Handler handler)
            throws IOException {
        this.raw = raw;
        this.socket = tls == null ? raw : secure(raw, tls);
        this.limits = limits;
        this.handler = handler;
        this.in = new SocketInput(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    private static SSLSocket secure(Socket raw, ServerTls tls) throws IOException {
        SSLSocket secure = (SSLSocket) tls.context()
                .getSocketFactory()
                .createSocket(raw, raw.getInetAddress().getHostAddress(), raw.getPort(), true);
        secure.setUseClientMode(false);
        secure.setSSLParameters(tls.parameters());
        return secure;
    }

    void serve() {
        try (socket) {
            raw.setTcpNoDelay(true);
            raw.keepAlive();
            raw.allow(limits.headerTimeout());
            if (socket instanceof SSLSocket tls) {
                tls.startHandshake();
            }
            boolean more = true;
            while (more) {
                more = awaitRequest() && serveNext();
            }
            raw.allow(LINGER); // TLS may read once more for its closing message
        } catch (SocketTimeoutException | EOFException e) {
            log.debug("Closed an incomplete or idle connection: client={} reason={}", client(), e.getMessage());
        } catch (IOException e) {
            log.debug("A connection failed: client={} error={}", client(), e.toString());
        }
    }

    private boolean awaitRequest() throws IOException {
        idleSince = System.nanoTime();
        idle = true;
        raw.allow(limits.idleTimeout());
        return !ending && in.hasMore();
    }

    /** Serves one request; returns whether another may follow. */
    private boolean serveNext() throws IOException {
        try (ClientMemory.Share memory = ClientMemory.share()) {
            raw.allow(limits.headerTimeout());
            RequestHead head = RequestHead.read(in, limits.maxHeaderBytes(), memory);
            idle = false;
            served = true;
            if (ending) {
                return false;
            }
            MessageBody body = new MessageBody(in, head.bodyLength(), () -> sendContinue(head));
            raw.allow(limits.bodyTimeout());
            HttpServerExchange exchange =
                    new HttpServerExchange(head, body, out, new ClientLink(raw, in, session()), memory);
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

    private @Nullable SSLSession session() {
        return socket instanceof SSLSocket tls ? tls.getSession() : null;
    }

    private void sendContinue(RequestHead head) throws IOException {
        if (head.expectsContinue()) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** Replies in plain text, because the request is not valid HTTP and thus not a request of the API. */
    private void replyMalformed(MalformedRequestException failure) throws IOException {
        String status = failure.code() + " " + HttpServerExchange.phrase(failure.code());
        String reason = String.valueOf(failure.getMessage());
        byte[] text = (reason.isEmpty() ? status : status + ": " + reason).getBytes(StandardCharsets.UTF_8);
        String top = "HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + text.length + "\r\nConnection: close\r\n\r\n";
        out.write(top.getBytes(StandardCharsets.ISO_8859_1));
        out.write(text);
    }

    /**
     * Discards unread bytes. Closing a socket with unread bytes resets the connection, and the client may lose the
     * response.
     */
    private void linger() throws IOException {
        socket.shutdownOutput();
        raw.allow(LINGER);
        byte[] ignored = new byte[8 << 10];
        int n = 0;
        while (n >= 0) {
            n = in.read(ignored, 0, ignored.length);
        }
    }

    /** Ends the connection after the current request. Does not block. */
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
            // The connection's thread reads the end of the input and closes TLS properly; otherwise the client
            // could not distinguish the end from a cut.
            raw.shutdownInput();
        } catch (IOException e) {
            log.debug("The socket was already closed: client={} error={}", client(), e.toString());
        }
    }

    /** Cuts the connection at once. Does not block. */
    void abort() {
        try {
            raw.close();
        } catch (IOException e) {
            log.debug("Cannot close a socket: client={} error={}", client(), e.toString());
        }
    }

    /** Returns whether it waits for the head of a request. */
    boolean isIdle() {
        return idle;
    }

    /** Returns whether it has received a request. */
    boolean hasServed() {
        return served;
    }

    /** Returns the {@link System#nanoTime()} since which it waits. */
    long idleSince() {
        return idleSince;
    }

    boolean isBlockedSince(long nanos) {
        return raw.isBlockedSince(nanos);
    }

    private String client() {
        return String.valueOf(raw.getRemoteSocketAddress());
    }
}
