/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections and serves each on a thread of its own. Thread-safe. */
public final class HttpListener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HttpListener.class);

    /** The maximum number of connections that wait to be accepted. */
    private static final int BACKLOG = 256;

    /** Further connections of this machine, so probes are answered while others send requests. */
    private static final int LOCAL = 32;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(2);

    /**
     * The pause after a failed accept, for example because too many files are open; an immediate retry would use a
     * full core.
     */
    private static final long ACCEPT_PAUSE_NANOS = 10_000_000;

    /*
     * Invariants:
     *   L1  A connection is in open from before its thread starts until its socket is closed, or until it gives way
     *       to another one. A connection whose thread could not be started is closed and not in open.
     *   L2  close() sets closed before it iterates over open, and the accepting thread reads closed after it has
     *       added a connection. Therefore close() misses no connection.
     */
    private final ConnectionLimits limits;
    private final Handler handler;
    private final OwnedThreads threads;
    private final ClientSocket.Listener socket;
    private final @Nullable ServerTls tls;
    private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Handles requests on the threads of their connections. */
    public interface Handler {

        /** Handles a request. If it returns without a response or throws, the connection is cut. */
        void handle(HttpServerExchange exchange) throws IOException;
    }

    private HttpListener(
            ClientSocket.Listener socket,
            @Nullable ServerTls tls,
            ConnectionLimits limits,
            Handler handler,
            OwnedThreads threads) {
        this.socket = socket;
        this.tls = tls;
        this.limits = limits;
        this.handler = handler;
        this.threads = threads;
    }

    /**
     * Binds the listening socket; {@link #start} begins to serve.
     *
     * @param tls the server's side of TLS; null for plain HTTP
     * @throws IOException if the address or port is not available
     */
    public static HttpListener bind(
            InetSocketAddress address,
            @Nullable ServerTls tls,
            ConnectionLimits limits,
            Handler handler,
            OwnedThreads threads)
            throws IOException {
        return bind(address, tls, limits, handler, threads, false);
    }

    /**
     * Binds the listening socket as
     * {@link #bind(InetSocketAddress, ServerTls, ConnectionLimits, Handler, OwnedThreads)}.
     *
     * @param sharesPort whether other sockets with {@code SO_REUSEPORT} can listen on the same port; the system then
     *     divides the connections among them
     * @throws UnsupportedOperationException if the system has no shared ports
     */
    public static HttpListener bind(
            InetSocketAddress address,
            @Nullable ServerTls tls,
            ConnectionLimits limits,
            Handler handler,
            OwnedThreads threads,
            boolean sharesPort)
            throws IOException {
        ClientSocket.Listener socket = new ClientSocket.Listener();
        try {
            socket.setReuseAddress(true);
            if (sharesPort) {
                socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            socket.bind(address, BACKLOG);
        } catch (IOException | UnsupportedOperationException e) {
            socket.close();
            throw e;
        }
        return new HttpListener(socket, tls, limits, handler, threads);
    }

    /** Returns the address on which it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }

    /** Starts to accept connections. */
    public void start() {
        threads.start("kubeloop-http-accept", this::acceptAll);
    }

    private void acceptAll() {
        while (!closed) {
            try {
                acceptOne();
            } catch (IOException | RuntimeException | Error e) {
                // Catches errors too: if there is no memory for one more thread, later connections can still be
                // served.
                if (!closed) {
                    log.warn("Cannot accept a connection; retrying: error={}", e.toString());
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

    /**
     * Returns whether one more connection may be served. If too many are open, the one that has waited longest for a
     * request gives way; before those that have completed none, such as those of idle strangers.
     */
    private boolean hasRoom(boolean local) {
        if (open.size() < limits.maxConnections()) {
            return true;
        }
        HttpConnection waiting = open.stream()
                .filter(HttpConnection::isIdle)
                .min(Comparator.comparing(HttpConnection::hasServed).thenComparingLong(HttpConnection::idleSince))
                .orElse(null);
        if (waiting != null && open.remove(waiting)) {
            log.debug("Closed the connection that has waited longest, because too many are open");
            waiting.abort();
            return true;
        }
        return local;
    }

    private void serve(ClientSocket accepted) throws IOException {
        boolean local = accepted.getInetAddress().isLoopbackAddress();
        if (open.size() >= limits.maxConnections() + (local ? LOCAL : 0) || !hasRoom(local)) {
            log.warn(
                    "Closed a new connection because too many are open: open={} client={}",
                    open.size(),
                    accepted.getRemoteSocketAddress());
            accepted.close();
            return;
        }
        HttpConnection connection = new HttpConnection(accepted, tls, limits, handler);
        open.add(connection);
        boolean started = false;
        try {
            threads.start("kubeloop-http-connection", () -> {
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

    /** Cuts the connections whose clients have blocked a write for longer than the limit. */
    public void cutBlocked() {
        long since = System.nanoTime() - TimeUnit.NANOSECONDS.convert(limits.writeTimeout());
        for (HttpConnection connection : open) {
            if (connection.isBlockedSince(since)) {
                log.debug("Cut the connection of a client that does not read");
                connection.abort();
            }
        }
    }

    /** Stops listening and cuts all connections, without waiting for their threads. */
    public void abort() {
        stop();
        open.forEach(HttpConnection::abort);
    }

    private void stop() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            log.warn("Cannot close the listening socket: error={}", e.toString());
        }
    }

    /**
     * Stops listening and ends all connections. Blocks until all threads have ended: running requests have 5 s to
     * finish, then their connections are cut, and the method waits 2 s more. An interrupt cuts the connections at
     * once, and the interrupt flag stays set.
     */
    @Override
    public void close() {
        stop();
        open.forEach(HttpConnection::end);
        if (!threads.await(CLOSE_TIMEOUT)) {
            log.warn("Requests are still running at close; cutting their connections: waited={}", CLOSE_TIMEOUT);
            open.forEach(HttpConnection::abort);
            threads.await(ABORT_TIMEOUT);
        }
    }
}
