/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.kubeloop.command.CommandException;
import io.kubeloop.manager.command.pages.HealthPage.Check;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves health, metrics, configuration and the live page of a controller manager over HTTP or HTTPS. The pages are
 * computed for each request.
 *
 * <p>Thread-safe. It has a thread per open connection, up to {@value #MAX_CONNECTIONS}, named {@code
 * kubeloop-manager-http-N}; they end after {@link #close}. A client that does not complete its request occupies one of
 * them for at most {@value #REQUEST_SECONDS} seconds. Streams, whose clients may stop reading, occupy at most {@value
 * #STREAMS}. So neither delays a health probe, whose failure restarts the manager.
 */
public final class ManagerHttp implements AutoCloseable {

    /** A page with its content type. */
    private record Page(String contentType, Supplier<byte[]> content) {}

    /** The most requests that a handler of {@link #route} answers at a time. */
    static final int STREAMS = 32;

    private static final int REQUEST_SECONDS = 10;

    /** Enough for all probes and scrapers, and a small part of the 1024 files that a process may usually open. */
    static final int MAX_CONNECTIONS = 128;

    /** The property for the seconds until a request must have arrived. A value that a user has set is kept. */
    private static final String REQUEST_TIME = "sun.net.httpserver.maxReqTime";

    /** The property for the number of connections. The limit leaves files for the connections of informers. */
    private static final String CONNECTIONS = "jdk.httpserver.maxConnections";

    static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final PageGate gate;
    private final ExecutorService executor;
    private final Semaphore streams = new Semaphore(STREAMS);
    private final Map<String, Page> pages = new LinkedHashMap<>();
    private final Map<String, HttpHandler> routes = new LinkedHashMap<>();
    private final Map<String, HealthPage> healths = new LinkedHashMap<>();

    private ManagerHttp(HttpServer server, PageGate gate) {
        this.server = server;
        this.gate = gate;
        AtomicInteger count = new AtomicInteger();
        this.executor = new ThreadPoolExecutor(
                0, MAX_CONNECTIONS, REQUEST_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "kubeloop-manager-http-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        server.setExecutor(executor);
    }

    /**
     * Binds a port for plain HTTP. {@link #start} begins to answer requests.
     *
     * @throws CommandException if the server cannot listen on the address
     */
    public static ManagerHttp bind(String address, int port) {
        return bind(
                address,
                port,
                bound -> new ManagerHttp(HttpServer.create(bound, 0), PageGate.ofHost(bound.getAddress())));
    }

    /**
     * Binds a port for HTTPS. {@link #start} begins to answer requests.
     *
     * @param tls the certificate and the rules of TLS
     * @param gate decides which requests are answered
     * @throws CommandException if the server cannot listen on the address
     */
    public static ManagerHttp bindSecure(String address, int port, HttpsConfigurator tls, PageGate gate) {
        return bind(address, port, bound -> {
            HttpsServer server = HttpsServer.create(bound, 0);
            server.setHttpsConfigurator(tls);
            return new ManagerHttp(server, gate);
        });
    }

    /** Makes a server for a resolved address. */
    private interface Maker {

        ManagerHttp make(InetSocketAddress bound) throws IOException;
    }

    private static ManagerHttp bind(String address, int port, Maker maker) {
        setIfAbsent(REQUEST_TIME, REQUEST_SECONDS);
        setIfAbsent(CONNECTIONS, MAX_CONNECTIONS);
        try {
            return maker.make(new InetSocketAddress(InetAddress.getByName(address), port));
        } catch (IOException e) {
            throw new CommandException(
                    "cannot listen on " + address + ":" + port + " for health and metrics: " + e.getMessage(), e);
        }
    }

    private static void setIfAbsent(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
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
    public ManagerHttp route(String path, HttpHandler handler) {
        routes.put(path, handler);
        return this;
    }

    /** Begins to answer requests. */
    public ManagerHttp start() {
        server.createContext("/", this::answer);
        server.start();
        return this;
    }

    /** Returns the port that the server listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            Page page = pages.get(path);
            HttpHandler route = routes.get(path);
            String method = exchange.getRequestMethod();
            PageGate.Refusal refusal = gate.refusal(exchange);
            if (refusal != null) {
                send(exchange, refusal.code(), refusal.contentType(), utf8(refusal.body()));
            } else if (route != null) {
                handle(route, exchange);
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, 405, TEXT, utf8(method + " is not supported; use GET or HEAD\n"));
            } else if (page != null) {
                page(exchange, page);
            } else {
                HealthPage.Response health = health(exchange.getRequestURI());
                if (health == null) {
                    send(exchange, 404, TEXT, utf8("no page at " + path + "; the pages are " + known() + "\n"));
                } else {
                    send(exchange, health.code(), TEXT, utf8(health.body()));
                }
            }
        }
    }

    private void handle(HttpHandler route, HttpExchange exchange) throws IOException {
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

    private HealthPage.@Nullable Response health(URI request) {
        int second = request.getPath().indexOf('/', 1);
        HealthPage page = healths.get(
                request.getPath().substring(0, second < 0 ? request.getPath().length() : second));
        return page == null ? null : page.respond(request);
    }

    private static void page(HttpExchange exchange, Page page) throws IOException {
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

    static void send(HttpExchange exchange, int code, String contentType, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        boolean withBody = body.length > 0 && !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(code, withBody ? body.length : -1);
        if (!withBody) {
            return;
        }
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
