package io.kubeloop.transport.memory.http;

import com.sun.net.httpserver.HttpServer;
import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.http.table.Tables;
import io.kubeloop.transport.memory.registry.ResourceRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An API server's HTTP side, for kubectl and every other client: plain HTTP/1.1, no authentication, by default reachable from
 * this machine alone. Serves from {@link #start} until {@link #close()}. Thread-safe.
 *
 * <p>It speaks JSON only, and serves discovery, tables, watches, health, and as much OpenAPI as kubectl needs. What it does
 * not serve is answered with a {@code Status} that says so.
 */
public final class HttpFace implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HttpFace.class);

    /** Connections that may wait to be accepted. */
    private static final int BACKLOG = 256;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    static {
        // The JDK's server delays small writes by default: each frame of a watch would wait for the client's
        // acknowledgement.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    /**
     * How to serve.
     *
     * @param bindAddress the address or host name to listen on; {@code 127.0.0.1} by default. On a loopback address, requests
     *     that name another host are refused, so that no web page can reach the server through a name of its own
     * @param port the port, 0 to 65535; 0, the default, picks a free one
     * @param maxBodyBytes how large a request's body may be; 3 MiB by default, as upstream
     * @param idleWatch after how long without events a watch is checked for a client that has gone away; 15 s by default
     */
    public record Config(String bindAddress, int port, int maxBodyBytes, Duration idleWatch) {

        /** The defaults. */
        public static final Config DEFAULT = new Config("127.0.0.1", 0, 3 << 20, Duration.ofSeconds(15));

        /** Checks the values. */
        public Config {
            if (bindAddress.isEmpty()
                    || port < 0
                    || port > 65535
                    || maxBodyBytes < 1
                    || idleWatch.isNegative()
                    || idleWatch.isZero()) {
                throw new IllegalArgumentException("bindAddress must be given, port be 0 to 65535, maxBodyBytes and"
                        + " idleWatch be positive; got \"" + bindAddress + "\", " + port + ", " + maxBodyBytes + ", "
                        + idleWatch);
            }
        }

        /** Returns these settings with another address. */
        public Config withBindAddress(String newAddress) {
            return new Config(newAddress, port, maxBodyBytes, idleWatch);
        }

        /** Returns these settings with another port. */
        public Config withPort(int newPort) {
            return new Config(bindAddress, newPort, maxBodyBytes, idleWatch);
        }
    }

    private final HttpServer server;
    private final ExecutorService executor;
    private final Heartbeats heartbeats;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HttpFace(HttpServer server, ExecutorService executor, Heartbeats heartbeats) {
        this.server = server;
        this.executor = executor;
        this.heartbeats = heartbeats;
    }

    /**
     * Starts to serve.
     *
     * @param transport answers everything about objects, for an {@link io.kubeloop.transport.memory.EmbeddedApiServer} or
     *     another server of the same kinds; not closed by the face
     * @param config how to serve
     * @throws UncheckedIOException if the address is unknown or the port is taken
     */
    public static HttpFace start(Transport transport, Config config) {
        return start(transport, config, Clock.systemUTC());
    }

    /**
     * Starts to serve; see {@link #start(Transport, Config)}.
     *
     * @param clock tells ages in tables
     */
    static HttpFace start(Transport transport, Config config, Clock clock) {
        InetSocketAddress address = resolve(config);
        HttpServer server;
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot listen on " + config.bindAddress() + ":" + config.port() + ": " + e.getMessage(), e);
        }
        ExecutorService executor = HttpThreads.newExecutor();
        Heartbeats heartbeats = new Heartbeats(executor, config.idleWatch());
        ResourceRegistry registry = ResourceRegistry.builtIn();
        ResourceRoute resources =
                new ResourceRoute(transport, new Tables(clock), heartbeats, new FieldValidation(registry));
        Predicate<String> hosts =
                address.getAddress().isLoopbackAddress() ? new LoopbackHosts(config.bindAddress()) : host -> true;
        server.createContext("/", new FaceHandler(registry, resources, hosts, config.maxBodyBytes()));
        server.setExecutor(executor);
        server.start();
        HttpFace face = new HttpFace(server, executor, heartbeats);
        log.debug("Serving: url={}", face.uri());
        return face;
    }

    private static InetSocketAddress resolve(Config config) {
        try {
            return new InetSocketAddress(InetAddress.getByName(config.bindAddress()), config.port());
        } catch (UnknownHostException e) {
            throw new UncheckedIOException("cannot listen on " + config.bindAddress() + ": no such address", e);
        }
    }

    /** Returns the port that is listened on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns where clients on this machine reach the server, such as {@code http://127.0.0.1:41873}. */
    public URI uri() {
        InetAddress address = server.getAddress().getAddress();
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port());
    }

    /** Ends open watches in order, stops listening, and waits until its threads are gone. Safe to call twice. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        heartbeats.close();
        server.stop(0);
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("Requests are still being served after close: waited={}", CLOSE_TIMEOUT);
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
