/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.proxy;

import io.kubeloop.apiserver.http.watch.OpenWatches;
import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Relays a request to another HTTP server and its response to the client (upstream: {@code
 * apimachinery/pkg/util/proxy.UpgradeAwareHandler}). Bodies stream in both directions, and an upgrade of the
 * connection, such as to a WebSocket or SPDY, becomes a tunnel. Thread-safe; one connection to the backend for each
 * request.
 */
public final class BackendProxy {

    private static final Logger log = LoggerFactory.getLogger(BackendProxy.class);

    /** The headers that belong to one connection (RFC 9110, 7.6.1). */
    private static final Set<String> HOP_BY_HOP = insensitive(
            "Connection",
            "Keep-Alive",
            "Proxy-Connection",
            "Proxy-Authenticate",
            "Proxy-Authorization",
            "TE",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade");

    /** The headers that the proxy sets by itself. The credentials are for this server, not for the backend. */
    private static final Set<String> OWN =
            insensitive("Host", "Content-Length", "Expect", "Authorization", "X-Forwarded-For");

    private static final List<String> IDENTITY = List.of("impersonate-", "x-remote-");

    private static final String NO_REDIRECT = "the backend attempted to redirect this request, which is not permitted";

    private final OwnedThreads threads;
    private final OpenWatches open;
    private final Duration connectTimeout;

    /**
     * A request to a backend.
     *
     * @param server the backend
     * @param target the path with the query, escaped
     * @param headers headers that replace those of the client, such as {@code Host} or {@code X-Remote-User}
     * @param responseTimeout the longest wait for the head of the response; zero for no limit
     * @param mayRedirect whether the client receives a redirection, which could lead it to any address
     */
    public record Destination(
            BackendConnection.Backend server,
            String target,
            Map<String, List<String>> headers,
            Duration responseTimeout,
            boolean mayRedirect) {

        /** Creates a destination that may redirect. */
        public Destination(
                BackendConnection.Backend server,
                String target,
                Map<String, List<String>> headers,
                Duration responseTimeout) {
            this(server, target, headers, responseTimeout, true);
        }
    }

    /**
     * Creates a proxy.
     *
     * @param threads starts the threads of upgraded connections
     * @param open ends the exchanges of clients that have disconnected, and all of them when the front end closes
     * @param connectTimeout the time to connect; also the time for the TLS handshake
     */
    public BackendProxy(OwnedThreads threads, OpenWatches open, Duration connectTimeout) {
        this.threads = threads;
        this.open = open;
        this.connectTimeout = connectTimeout;
    }

    /**
     * Relays a request. Blocks until the response has ended or either side has closed the connection.
     *
     * @throws BackendException if the backend does not answer; no response has begun then
     * @throws IOException if the client has disconnected, or the backend's response is incomplete
     */
    public void relay(HttpServerExchange exchange, Destination destination) throws IOException {
        relay(exchange, destination, response -> {});
    }

    /** Looks at the head of a response before the client receives it. */
    @FunctionalInterface
    public interface ResponseCheck {

        /** Returns, or throws the exception that {@link #relay} throws instead of relaying the response. */
        void check(BackendConnection.Response response) throws IOException;
    }

    /**
     * Relays a request; see {@link #relay(HttpServerExchange, Destination)}.
     *
     * @param check looks at the response first
     */
    public void relay(HttpServerExchange exchange, Destination destination, ResponseCheck check) throws IOException {
        try (BackendConnection backend = destination.server().open(connectTimeout)) {
            OpenWatches.Watch entry = open.add(exchange::clientHasLeft, backend::close);
            try {
                BackendConnection.Response response = send(exchange, destination, backend);
                check.check(response);
                if (response.code() == 101) {
                    if (!isUpgrade(exchange)) {
                        throw new BackendException("malformed HTTP response: an upgrade that was not requested");
                    }
                    tunnel(exchange, response, backend);
                } else if (!destination.mayRedirect()
                        && response.code() / 100 == 3
                        && response.headers().containsKey("Location")) {
                    exchange.setHeader("Content-Type", "text/plain; charset=utf-8");
                    exchange.reply(502, NO_REDIRECT.getBytes(StandardCharsets.US_ASCII));
                } else {
                    answer(exchange, response);
                }
            } finally {
                open.remove(entry);
            }
        }
    }

    private static BackendConnection.Response send(
            HttpServerExchange exchange, Destination destination, BackendConnection backend) throws IOException {
        boolean chunked = !exchange.headers("Transfer-Encoding").isEmpty();
        try {
            backend.send(exchange.method(), destination.target(), requestHeaders(exchange, destination, chunked));
            backend.sendBody(exchange.body(), chunked);
        } catch (IOException e) {
            // A backend may answer and close before it has read everything; its answer says why.
            log.debug("A request was not sent completely: target={} error={}", destination.target(), e.toString());
        }
        return backend.response(exchange.method().equals("HEAD"), destination.responseTimeout());
    }

    private static Map<String, List<String>> requestHeaders(
            HttpServerExchange exchange, Destination destination, boolean chunked) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Host", List.of(destination.server().authority()));
        Set<String> named = namedByConnection(exchange.headers("Connection"));
        for (String name : exchange.headerNames()) {
            if (!HOP_BY_HOP.contains(name) && !OWN.contains(name) && !named.contains(name) && !isIdentity(name)) {
                headers.put(name, exchange.headers(name));
            }
        }
        if (isUpgrade(exchange)) {
            headers.put("Connection", List.of("Upgrade"));
            headers.put("Upgrade", exchange.headers("Upgrade"));
        } else {
            headers.put("Connection", List.of("close"));
        }
        if (chunked) {
            headers.put("Transfer-Encoding", List.of("chunked"));
        } else if (!exchange.headers("Content-Length").isEmpty()) {
            headers.put("Content-Length", exchange.headers("Content-Length"));
        }
        List<String> hops = new ArrayList<>(exchange.headers("X-Forwarded-For"));
        hops.add(exchange.clientAddress());
        headers.put("X-Forwarded-For", List.of(String.join(", ", hops)));
        headers.putAll(destination.headers());
        return headers;
    }

    /** Returns whether the client requests another protocol on its connection. */
    public static boolean isUpgrade(HttpServerExchange exchange) {
        return !exchange.headers("Upgrade").isEmpty()
                && namedByConnection(exchange.headers("Connection")).contains("upgrade");
    }

    private static boolean isIdentity(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return IDENTITY.stream().anyMatch(lower::startsWith);
    }

    private static Set<String> namedByConnection(List<String> values) {
        Set<String> named = insensitive();
        for (String value : values) {
            for (String name : value.split(",", -1)) {
                named.add(name.strip());
            }
        }
        return named;
    }

    private static Set<String> insensitive(String... names) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(List.of(names));
        return set;
    }

    private static void describe(HttpServerExchange exchange, Map<String, List<String>> headers, boolean upgraded) {
        Set<String> named = namedByConnection(headers.getOrDefault("Connection", List.of()));
        headers.forEach((name, values) -> {
            boolean own = HOP_BY_HOP.contains(name) || named.contains(name) || name.equalsIgnoreCase("Content-Length");
            if (!values.isEmpty() && (!own || (upgraded && name.equalsIgnoreCase("Upgrade")))) {
                exchange.setHeader(name, values.get(0));
                values.subList(1, values.size()).forEach(value -> exchange.addHeader(name, value));
            }
        });
    }

    private static void answer(HttpServerExchange exchange, BackendConnection.Response response) throws IOException {
        describe(exchange, response.headers(), false);
        int code = response.code();
        boolean toHead = exchange.method().equals("HEAD");
        if (code == 204 || code == 304 || (toHead && response.length() < 0)) {
            exchange.reply(code);
            return;
        }
        OutputStream out = response.length() < 0
                ? exchange.replyInChunks(code)
                : exchange.replyWithLength(code, response.length());
        BackendConnection.copy(response.body(), out);
        out.close(); // not after a failure: the client must not take a part for the whole
    }

    /** Copies bytes in both directions until either side ends. */
    private void tunnel(HttpServerExchange exchange, BackendConnection.Response response, BackendConnection backend)
            throws IOException {
        describe(exchange, response.headers(), true);
        exchange.setHeader("Connection", "Upgrade");
        HttpServerExchange.Upgraded client = exchange.upgrade(101);
        threads.start("kubeloop-http-tunnel", () -> {
            try (backend) {
                backend.sendAll(client.input());
            } catch (IOException e) {
                log.debug("A tunnel failed: direction=backend error={}", e.toString());
            }
        });
        try {
            BackendConnection.copy(response.body(), client.output());
        } catch (IOException e) {
            log.debug("A tunnel failed: direction=client error={}", e.toString());
        } finally {
            client.endInput().run();
        }
    }
}
