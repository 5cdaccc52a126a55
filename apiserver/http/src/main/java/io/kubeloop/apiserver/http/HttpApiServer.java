/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.api.WithMethods;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.http.aggregation.Aggregator;
import io.kubeloop.apiserver.http.header.LoopbackHosts;
import io.kubeloop.apiserver.http.proxy.BackendProxy;
import io.kubeloop.apiserver.http.streams.StreamServer;
import io.kubeloop.apiserver.http.watch.OpenWatches;
import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.table.Tables;
import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP front end of an API server, for kubectl and other clients. By default it serves plain HTTP/1.1 without
 * authentication on the loopback interface; TLS and bearer tokens are optional. It serves from {@link #start} until
 * {@link #close()}. Thread-safe.
 *
 * <p>It serves JSON and protocol buffers, discovery, tables, watches, health checks, and the parts of OpenAPI that
 * kubectl needs. A request for anything else fails with a {@code Status} that names the reason.
 */
public final class HttpApiServer implements AutoCloseable {

    /** The interval at which the clients of requests that wait for webhooks are checked. */
    private static final Duration WAIT_CHECK = Duration.ofSeconds(1);

    /** The time to connect to a kubelet, a pod or a service. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(HttpApiServer.class);

    /**
     * The configuration of the server.
     *
     * @param bindAddress the address or host name to listen on; default {@code 127.0.0.1}. On a loopback address,
     *     the server rejects requests with another host name, so no web page can reach it through DNS
     *     rebinding
     * @param port the port, 0 to 65535; default 0, which selects a free port
     * @param maxBodyBytes the maximum size of a request body in bytes, at least 1; default 3 MiB, as upstream
     * @param idleWatch the interval at which the connections of watches are checked for disconnected clients; positive,
     *     default 15 s. The check sends nothing
     * @param limits the limits per client
     * @param tls the certificate of the server and the authorities of client certificates; null, the default, for plain
     *     HTTP
     * @param tokens the accepted bearer tokens. With neither tokens nor authorities of client certificates, the
     *     default, every client is accepted. As upstream, {@code /healthz}, {@code /livez}, {@code /readyz} and
     *     {@code /version} need no credentials
     * @param nodes what answers for the containers of nodes; default their kubelets
     */
    @WithMethods
    public record Config(
            String bindAddress,
            int port,
            int maxBodyBytes,
            Duration idleWatch,
            HttpLimits limits,
            @Nullable ServingCertificate tls,
            BearerTokens tokens,
            NodeAccess nodes)
            implements HttpApiServerConfigBuilder.With {

        /** The defaults. */
        public static final Config DEFAULT = new Config(
                "127.0.0.1",
                0,
                3 << 20,
                Duration.ofSeconds(15),
                HttpLimits.DEFAULT,
                null,
                BearerTokens.NONE,
                NodeAccess.DEFAULT);

        /** Checks the values. */
        public Config {
            if (bindAddress.isEmpty()
                    || port < 0
                    || port > 65535
                    || maxBodyBytes < 1
                    || idleWatch.isNegative()
                    || idleWatch.isZero()) {
                throw new IllegalArgumentException(
                        "bindAddress must not be empty, port must be 0 to 65535, maxBodyBytes and"
                                + " idleWatch must be positive; got \"" + bindAddress + "\", " + port + ", "
                                + maxBodyBytes + ", "
                                + idleWatch);
            }
        }
    }

    private final HttpListener listener;
    private final List<OpenWatches> watches;
    private final String scheme;
    private final Runnable removal;
    private final AtomicBoolean closed;

    private HttpApiServer(
            HttpListener listener, List<OpenWatches> watches, String scheme, AtomicBoolean closed, Runnable removal) {
        this.removal = removal;
        this.listener = listener;
        this.watches = watches;
        this.scheme = scheme;
        this.closed = closed;
    }

    /**
     * Starts a server. Returns once the server accepts connections.
     *
     * @param server executes the requests; {@link #close()} does not close it
     * @param config the configuration
     * @throws UncheckedIOException if the address is unknown or the port is in use
     */
    public static HttpApiServer start(ApiServer server, Config config) {
        return start(server, config, server::handle, Clock.systemUTC());
    }

    /**
     * Starts a server whose requests pass through a handler; see {@link #start(ApiServer, Config)}.
     *
     * @param server describes the served resources
     * @param handler executes the requests, usually with the server; must be thread-safe
     */
    @SuppressWarnings("exports") // the type of the response is for the modules of the server
    public static HttpApiServer start(ApiServer server, Config config, Function<ApiRequest, ServerResponse> handler) {
        return start(server, config, (request, user) -> handler.apply(request), Clock.systemUTC());
    }

    /**
     * Starts a server; see {@link #start(ApiServer, Config)}.
     *
     * @param clock the clock for the ages in tables
     */
    public static HttpApiServer start(ApiServer server, Config config, Clock clock) {
        return start(server, config, server::handle, clock);
    }

    static HttpApiServer start(ApiServer server, Config config, ResourceRoute.RequestHandler requests, Clock clock) {
        InetSocketAddress address = resolve(config);
        ServingCertificate tls = config.tls();
        ClientAuthorities authorities = tls == null ? null : tls.clients();
        BearerTokens tokens =
                authorities == null ? config.tokens() : config.tokens().required();
        String scheme = tls == null ? "http" : "https";
        boolean local = address.getAddress().isLoopbackAddress();
        OwnedThreads threads = new OwnedThreads(OwnedThreads.virtualOrDaemon());
        OpenWatches watches = new OpenWatches(threads, config.idleWatch());
        // Far fewer than watches, and their clients wait.
        OpenWatches waits = new OpenWatches(
                threads, config.idleWatch().compareTo(WAIT_CHECK) < 0 ? config.idleWatch() : WAIT_CHECK);
        ResourceRegistry registry = server.backend().registry();
        Random random = new Random();
        ObjectReader objects = new ObjectReader(requests);
        BackendProxy proxy = new BackendProxy(threads, watches, CONNECT_TIMEOUT);
        HostedContainers hosted = hosted(config, threads, watches);
        ContainerRoute containers = new ContainerRoute(
                objects,
                server.authorizer(),
                server::admitConnection,
                config.nodes().kubelets(),
                hosted,
                proxy);
        ResourceRoute resources = new ResourceRoute(
                requests,
                registry,
                new Tables(registry::columns, clock),
                new WatchRoute(threads, watches, waits, random));
        ProxyRoute proxies =
                new ProxyRoute(objects, server::admitConnection, config.nodes().kubelets(), hosted, proxy, random);
        server.aggregate(Aggregator::start);
        AggregationRoute aggregation = new AggregationRoute(server.aggregated(), proxy);
        AtomicBoolean closed = new AtomicBoolean();
        HttpApiHandler handler = new HttpApiHandler(
                server,
                new ApiRoutes(resources, containers, proxies, aggregation),
                new Health(closed::get),
                new DocumentRoute(server.backend().kinds()::documents, scheme),
                new HttpApiHandler.Admittance(
                        local ? new LoopbackHosts(config.bindAddress()) : host -> true,
                        authorities,
                        server::authenticate,
                        tokens,
                        server.authorizer()),
                config.maxBodyBytes());
        HttpListener listener;
        try {
            listener = HttpListener.bind(
                    address, tls == null ? null : tls.tls(), config.limits().connection(), handler, threads);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot listen on " + config.bindAddress() + ":" + config.port() + ": " + e.getMessage(), e);
        }
        if (!local && tokens.isOpen()) {
            log.warn(
                    "The server accepts every client without authentication; set a token or bind to a loopback "
                            + "address: address={}",
                    listener.address());
        }
        Map<String, String> published = new TreeMap<>(aggregation.published());
        if (authorities != null) {
            published.put("client-ca-file", authorities.pem());
        }
        Runnable removal = server.addCredentials(tokens::user, published);
        watches.start(listener::cutBlocked);
        waits.start(() -> {});
        listener.start();
        HttpApiServer httpServer = new HttpApiServer(listener, List.of(watches, waits), scheme, closed, removal);
        log.debug("Serving: url={}", httpServer.uri());
        return httpServer;
    }

    private static @Nullable HostedContainers hosted(Config config, OwnedThreads threads, OpenWatches open) {
        ContainerHost host = config.nodes().host();
        return host == null ? null : new HostedContainers(host, new StreamServer(threads, open), open);
    }

    private static InetSocketAddress resolve(Config config) {
        try {
            return new InetSocketAddress(InetAddress.getByName(config.bindAddress()), config.port());
        } catch (UnknownHostException e) {
            throw new UncheckedIOException("cannot listen on " + config.bindAddress() + ": unknown address", e);
        }
    }

    /** Returns the port on which the server listens. */
    public int port() {
        return listener.address().getPort();
    }

    /** Returns the URL for clients on this machine, such as {@code http://127.0.0.1:41873}. */
    public URI uri() {
        InetAddress address = listener.address().getAddress();
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port());
    }

    /**
     * Stops the server; safe to call twice. Open watches end regularly, and no new connection or request is
     * accepted. Blocks until all threads have ended: running requests have 5 s to finish, then their connections
     * are cut, and the method waits 2 s more. An interrupt cuts the remaining connections at once, and the method
     * returns with the interrupt flag set.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            watches.forEach(OpenWatches::close);
            listener.close();
            removal.run();
        }
    }
}
