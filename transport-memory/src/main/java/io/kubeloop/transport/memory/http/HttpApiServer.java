package io.kubeloop.transport.memory.http;

import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.http.table.Tables;
import io.kubeloop.transport.memory.http.wire.HttpListener;
import io.kubeloop.transport.memory.http.wire.HttpThreads;
import io.kubeloop.transport.memory.registry.ResourceRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An API server's HTTP side, for kubectl and every other client: HTTP/1.1, by default plain, open to everybody, and reachable
 * from this machine alone; with TLS and tokens if so configured. Serves from {@link #start} until {@link #close()}.
 * Thread-safe.
 *
 * <p>It speaks JSON, and protocol buffers where asked to; it serves discovery, tables, watches, health, and as much OpenAPI as kubectl needs. What it does
 * not serve is answered with a {@code Status} that says so.
 */
public final class HttpApiServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HttpApiServer.class);

    /**
     * How to serve.
     *
     * @param bindAddress the address or host name to listen on; {@code 127.0.0.1} by default. On a loopback address, requests
     *     that name another host are refused, so that no web page can reach the server through a name of its own
     * @param port the port, 0 to 65535; 0, the default, picks a free one
     * @param maxBodyBytes how large a request's body may be; 3 MiB by default, as upstream
     * @param idleWatch after how long without events a watch is checked for a client that has gone away; 15 s by default
     * @param limits what a client may take of the server
     * @param tls what to serve TLS with, such as {@link ServingCertificate#load} makes it; null, the default, for plain HTTP
     * @param tokens who is let in; by default everybody. {@code /healthz}, {@code /livez}, {@code /readyz} and
     *     {@code /version} answer without a token, as upstream
     */
    public record Config(
            String bindAddress,
            int port,
            int maxBodyBytes,
            Duration idleWatch,
            HttpLimits limits,
            @Nullable SSLContext tls,
            BearerTokens tokens) {

        /** The defaults. */
        public static final Config DEFAULT = new Config(
                "127.0.0.1", 0, 3 << 20, Duration.ofSeconds(15), HttpLimits.DEFAULT, null, BearerTokens.NONE);

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
            return new Config(newAddress, port, maxBodyBytes, idleWatch, limits, tls, tokens);
        }

        /** Returns these settings with another port. */
        public Config withPort(int newPort) {
            return new Config(bindAddress, newPort, maxBodyBytes, idleWatch, limits, tls, tokens);
        }

        /** Returns these settings with another bound for bodies. */
        public Config withMaxBodyBytes(int bytes) {
            return new Config(bindAddress, port, bytes, idleWatch, limits, tls, tokens);
        }

        /** Returns these settings with watches checked after another time. */
        public Config withIdleWatch(Duration idle) {
            return new Config(bindAddress, port, maxBodyBytes, idle, limits, tls, tokens);
        }

        /** Returns these settings with other limits. */
        public Config withLimits(HttpLimits newLimits) {
            return new Config(bindAddress, port, maxBodyBytes, idleWatch, newLimits, tls, tokens);
        }

        /** Returns these settings with TLS, or with null without. */
        public Config withTls(@Nullable SSLContext context) {
            return new Config(bindAddress, port, maxBodyBytes, idleWatch, limits, context, tokens);
        }

        /** Returns these settings with other tokens. */
        public Config withTokens(BearerTokens newTokens) {
            return new Config(bindAddress, port, maxBodyBytes, idleWatch, limits, tls, newTokens);
        }
    }

    private final HttpListener listener;
    private final Heartbeats heartbeats;
    private final String scheme;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HttpApiServer(HttpListener listener, Heartbeats heartbeats, String scheme) {
        this.listener = listener;
        this.heartbeats = heartbeats;
        this.scheme = scheme;
    }

    /**
     * Starts to serve.
     *
     * @param transport answers everything about objects, for an {@link io.kubeloop.transport.memory.EmbeddedApiServer} or
     *     another server of the same kinds; not closed by the HTTP front end
     * @param config how to serve
     * @throws UncheckedIOException if the address is unknown or the port is taken
     */
    public static HttpApiServer start(Transport transport, Config config) {
        return start(transport, config, Clock.systemUTC());
    }

    /**
     * Starts to serve; see {@link #start(Transport, Config)}.
     *
     * @param clock tells ages in tables
     */
    static HttpApiServer start(Transport transport, Config config, Clock clock) {
        InetSocketAddress address = resolve(config);
        boolean local = address.getAddress().isLoopbackAddress();
        HttpThreads threads = new HttpThreads();
        Heartbeats heartbeats = new Heartbeats(threads, config.idleWatch());
        ResourceRegistry registry = ResourceRegistry.builtIn();
        ResourceRoute resources =
                new ResourceRoute(transport, new Tables(clock), heartbeats, new FieldValidation(registry));
        Predicate<String> hosts = local ? new LoopbackHosts(config.bindAddress()) : host -> true;
        HttpApiHandler handler = new HttpApiHandler(registry, resources, hosts, config.tokens(), config.maxBodyBytes());
        HttpListener listener;
        try {
            listener = HttpListener.bind(address, config.tls(), config.limits(), handler, threads);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot listen on " + config.bindAddress() + ":" + config.port() + ": " + e.getMessage(), e);
        }
        if (!local && config.tokens().isOpen()) {
            log.warn("Whoever reaches {} may read and change everything: no token is asked for", listener.address());
        }
        heartbeats.start(listener::cutBlocked);
        listener.start();
        HttpApiServer httpServer = new HttpApiServer(listener, heartbeats, config.tls() == null ? "http" : "https");
        log.debug("Serving: url={}", httpServer.uri());
        return httpServer;
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
        return listener.address().getPort();
    }

    /** Returns where clients on this machine reach the server, such as {@code http://127.0.0.1:41873}. */
    public URI uri() {
        InetAddress address = listener.address().getAddress();
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port());
    }

    /** Ends open watches in order, stops listening, and waits until its threads are gone. Safe to call twice. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            heartbeats.close();
            listener.close();
        }
    }
}
