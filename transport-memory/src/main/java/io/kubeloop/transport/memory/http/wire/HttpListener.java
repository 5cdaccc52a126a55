package io.kubeloop.transport.memory.http.wire;

import io.kubeloop.transport.memory.http.HttpLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections and has each served by a thread of its own. Thread-safe. */
public final class HttpListener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HttpListener.class);

    /** Connections that may wait to be accepted. */
    private static final int BACKLOG = 256;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(2);

    /** After a failure to accept, such as too many open files: trying again at once would burn a core. */
    private static final long ACCEPT_PAUSE_NANOS = 10_000_000;

    // L1: a connection is in open from before its thread starts until its socket is closed; one whose thread could not
    //     be started is closed and not in open.
    // L2: closed is set before open is walked, and looked at after a connection was added: close misses none.
    private final HttpLimits limits;
    private final Handler handler;
    private final HttpThreads threads;
    private final ClientSocket.Listener socket;
    private final @Nullable SSLContext tls;
    private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Answers requests, on the threads of their connections. */
    public interface Handler {

        /** Answers; where it returns without having answered, or throws, the connection is cut. */
        void handle(HttpServerExchange exchange) throws IOException;
    }

    private HttpListener(
            ClientSocket.Listener socket,
            @Nullable SSLContext tls,
            HttpLimits limits,
            Handler handler,
            HttpThreads threads) {
        this.socket = socket;
        this.tls = tls;
        this.limits = limits;
        this.handler = handler;
        this.threads = threads;
    }

    /**
     * Begins to listen; {@link #start} begins to serve.
     *
     * @param tls makes it TLS, or null
     * @throws IOException if the address or port cannot be had
     */
    public static HttpListener bind(
            InetSocketAddress address,
            @Nullable SSLContext tls,
            HttpLimits limits,
            Handler handler,
            HttpThreads threads)
            throws IOException {
        ClientSocket.Listener socket = new ClientSocket.Listener();
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return new HttpListener(socket, tls, limits, handler, threads);
    }

    /** Returns where it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }

    /** Begins to serve. */
    public void start() {
        threads.start("accept", this::acceptAll);
    }

    private void acceptAll() {
        while (!closed) {
            try {
                acceptOne();
            } catch (IOException | RuntimeException | Error e) {
                // Errors too: no memory for one more thread is no reason to serve nobody from here on.
                if (!closed) {
                    log.warn("A connection could not be accepted: error={}", e.toString());
                    LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
                }
            }
        }
    }

    private void acceptOne() throws IOException {
        ClientSocket accepted = socket.accept();
        boolean served = false;
        try {
            serve(accepted);
            served = true;
        } finally {
            if (!served) {
                accepted.close();
            }
        }
    }

    private void serve(ClientSocket accepted) throws IOException {
        if (open.size() >= limits.maxConnections()) {
            log.warn("A connection was refused: open={} client={}", open.size(), accepted.getRemoteSocketAddress());
            accepted.close();
            return;
        }
        HttpConnection connection = new HttpConnection(accepted, tls, limits, handler);
        open.add(connection);
        boolean started = false;
        try {
            threads.start("connection", () -> {
                try {
                    connection.serve();
                } finally {
                    open.remove(connection);
                }
            });
            started = true;
        } finally {
            if (!started) {
                open.remove(connection);
            }
        }
        if (closed) {
            connection.abort();
        }
    }

    /** Cuts the connections whose clients have kept the server from writing for longer than they may. */
    public void cutBlocked() {
        long since = System.nanoTime() - TimeUnit.NANOSECONDS.convert(limits.writeTimeout());
        for (HttpConnection connection : open) {
            if (connection.isBlockedSince(since)) {
                log.debug("A client does not read: it is cut off");
                connection.abort();
            }
        }
    }

    /** Stops listening, lets running requests finish for some seconds, and waits until all threads are gone. */
    @Override
    public void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            log.warn("The listening socket could not be closed: error={}", e.toString());
        }
        open.forEach(HttpConnection::end);
        if (!threads.join(CLOSE_TIMEOUT)) {
            log.warn("Requests are still being served after {}: they are cut off", CLOSE_TIMEOUT);
            open.forEach(HttpConnection::abort);
            threads.join(ABORT_TIMEOUT);
        }
    }
}
