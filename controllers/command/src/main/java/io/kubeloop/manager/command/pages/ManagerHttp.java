/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import io.kubeloop.apiserver.http.wire.ConnectionLimits;
import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.http.wire.RequestTarget;
import io.kubeloop.apiserver.http.wire.ServerTls;
import io.kubeloop.command.CommandException;
import io.kubeloop.manager.command.pages.HealthPage.Check;
import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves health, metrics, configuration and the live page of a controller manager over HTTP or HTTPS. The pages are
 * computed for each request.
 *
 * <p>Thread-safe. It has a thread per open connection, up to {@value #MAX_CONNECTIONS} and some for this machine; they
 * end after {@link #close}. A client has {@value #REQUEST_SECONDS} seconds for its request. If too many connections are
 * open, one that waits for a request gives way to a new one, before others one that has never completed a request.
 * Streams, whose clients may stop reading, occupy at most {@value #STREAMS}. So neither delays a health probe, whose
 * failure restarts the manager.
 */
public final class ManagerHttp implements AutoCloseable {

    /** A page with its content type. */
    private record Page(String contentType, Supplier<byte[]> content) {}

    /** The most requests that a handler of {@link #route} answers at a time. */
    static final int STREAMS = 32;

    private static final int REQUEST_SECONDS = 10;

    /** Enough for all probes and scrapers, and a small part of the 1024 files that a process may usually open. */
    static final int MAX_CONNECTIONS = 128;

    private static final Duration REQUEST_TIME = Duration.ofSeconds(REQUEST_SECONDS);
    private static final ConnectionLimits LIMITS = new ConnectionLimits(
            MAX_CONNECTIONS, 64 << 10, REQUEST_TIME, REQUEST_TIME, Duration.ofSeconds(90), Duration.ofSeconds(60));

    static final String TEXT = "text/plain; charset=utf-8";

    private final HttpListener listener;
    private final PageGate gate;
    private final OwnedThreads threads = new OwnedThreads(OwnedThreads.virtualOrDaemon());
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Semaphore streams = new Semaphore(STREAMS);
    private final Map<String, Page> pages = new LinkedHashMap<>();
    private final Map<String, HttpListener.Handler> routes = new LinkedHashMap<>();
    private final Map<String, HealthPage> healths = new LinkedHashMap<>();

    private ManagerHttp(InetSocketAddress bound, @Nullable ServerTls tls, PageGate gate, boolean sharesPort)
            throws IOException {
        this.gate = gate;
        this.listener = HttpListener.bind(bound, tls, LIMITS, this::answer, threads, sharesPort);
    }

    /**
     * Binds a port for plain HTTP. {@link #start} begins to answer requests.
     *
     * @throws CommandException if the server cannot listen on the address
     */
    public static ManagerHttp bind(String address, int port) {
        return bind(address, port, bound -> new ManagerHttp(bound, null, PageGate.ofHost(bound.getAddress()), false));
    }

    /**
     * Binds a port for HTTPS. {@link #start} begins to answer requests.
     *
     * @param tls the certificate and the rules of TLS
     * @param gate decides which requests are answered
     * @param sharesPort whether other programs can listen on the port too
     * @throws CommandException if the server cannot listen on the address
     */
    public static ManagerHttp bindSecure(String address, int port, ServerTls tls, PageGate gate, boolean sharesPort) {
        return bind(address, port, bound -> new ManagerHttp(bound, tls, gate, sharesPort));
    }

    /** Makes a server for a resolved address. */
    private interface Maker {

        ManagerHttp make(InetSocketAddress bound) throws IOException;
    }

    private static ManagerHttp bind(String address, int port, Maker maker) {
        try {
            return maker.make(new InetSocketAddress(InetAddress.getByName(address), port));
        } catch (IOException | UnsupportedOperationException e) {
            throw new CommandException(
                    "cannot listen on " + address + ":" + port + " for health and metrics: " + e.getMessage(), e);
        }
    }

    /** Adds a page. Call it before {@link #start}. */
    public ManagerHttp page(String path, String contentType, Supplier<byte[]> content) {
        pages.put(path, new Page(contentType, content));
        return this;
    }

    /**
     * Adds a health page, which answers 200 if all checks succeed and otherwise 500 with the failures, and below it a
     * page for each check. Call it before {@link #start}.
     *
     * @param checks returns the checks of this moment; called by the threads of the server
     */
    public ManagerHttp health(String path, Supplier<List<Check>> checks) {
        healths.put(path, new HealthPage(path, checks));
        return this;
    }

    /**
     * Adds a handler that answers the requests for a path, of all methods, and keeps the exchange open as long as it
     * runs. Requests beyond {@value #STREAMS} at a time are answered with 503. Call it before {@link #start}.
     */
    public ManagerHttp route(String path, HttpListener.Handler handler) {
        routes.put(path, handler);
        return this;
    }

    /** Begins to answer requests. */
    public ManagerHttp start() {
        threads.start("kubeloop-manager-http", this::cutBlocked);
        listener.start();
        return this;
    }

    private void cutBlocked() {
        try {
            while (!closed.await(REQUEST_SECONDS, TimeUnit.SECONDS)) {
                listener.cutBlocked();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the port that the server listens on. */
    public int port() {
        return listener.address().getPort();
    }

    private void answer(HttpServerExchange exchange) throws IOException {
        String path = exchange.target().path();
        Page page = pages.get(path);
        HttpListener.Handler route = routes.get(path);
        String method = exchange.method();
        PageGate.Refusal refusal = gate.refusal(exchange);
        if (refusal != null) {
            send(exchange, refusal.code(), refusal.contentType(), utf8(refusal.body()));
        } else if (route != null) {
            handle(route, exchange);
        } else if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.setHeader("Allow", "GET, HEAD");
            send(exchange, 405, TEXT, utf8(method + " is not supported; use GET or HEAD\n"));
        } else if (page != null) {
            page(exchange, page);
        } else {
            HealthPage.Response health = health(exchange.target());
            if (health == null) {
                send(exchange, 404, TEXT, utf8("no page at " + path + "; the pages are " + known() + "\n"));
            } else {
                send(exchange, health.code(), TEXT, utf8(health.body()));
            }
        }
    }

    private void handle(HttpListener.Handler route, HttpServerExchange exchange) throws IOException {
        if (!streams.tryAcquire()) {
            send(exchange, 503, TEXT, utf8("too many clients of this page; try again later\n"));
            return;
        }
        try {
            route.handle(exchange);
        } finally {
            streams.release();
        }
    }

    private HealthPage.@Nullable Response health(RequestTarget request) {
        int second = request.path().indexOf('/', 1);
        HealthPage page = healths.get(
                request.path().substring(0, second < 0 ? request.path().length() : second));
        return page == null ? null : page.respond(request);
    }

    private static void page(HttpServerExchange exchange, Page page) throws IOException {
        byte[] content;
        try {
            content = page.content().get();
        } catch (RuntimeException e) {
            send(exchange, 500, TEXT, utf8("cannot render the page: " + e + "\n"));
            return;
        }
        send(exchange, 200, page.contentType(), content);
    }

    private String known() {
        return String.join(" ", healths.keySet()) + " " + String.join(" ", pages.keySet())
                + (routes.containsKey("/") ? " /" : "");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void send(HttpServerExchange exchange, int code, String contentType, byte[] body) throws IOException {
        exchange.setHeader("Content-Type", contentType);
        exchange.setHeader("Cache-Control", "no-store");
        exchange.setHeader("X-Content-Type-Options", "nosniff");
        exchange.reply(code, body);
    }

    @Override
    public void close() {
        closed.countDown();
        listener.abort();
    }
}
