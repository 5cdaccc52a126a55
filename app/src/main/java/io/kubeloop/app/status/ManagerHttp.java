package io.kubeloop.app.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.kubeloop.app.cli.FailureException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Serves health, metrics, configuration and the live page of a controller manager over HTTP. The pages are
 * computed for each request.
 *
 * <p>Thread-safe. It has up to {@value #THREADS} threads, named {@code kubeloop-manager-http-N}, which end after {@link
 * #close}. A client that does not complete its request occupies one thread for at most 30 seconds. With several threads
 * such a client does not delay a health probe, whose failure restarts the manager.
 */
public final class ManagerHttp implements AutoCloseable {

    /**
     * A check of a health page.
     *
     * @param name its name, such as {@code informer-sync}
     * @param problem returns the reason of a failure; empty if the check succeeds
     * @param remark returns a remark for the verbose output; empty if there is none
     */
    public record Check(String name, Supplier<String> problem, Supplier<String> remark) {

        public Check(String name, Supplier<String> problem) {
            this(name, problem, () -> "");
        }

        Finding run() {
            return new Finding(name, problem.get(), remark.get());
        }
    }

    /** The result of a check. */
    record Finding(String name, String problem, String remark) {

        boolean isFine() {
            return problem.isEmpty();
        }

        String line() {
            return (isFine() ? "[+]" + name + " ok" : "[-]" + name + " failed: " + problem)
                    + (remark.isEmpty() ? "" : "; " + remark) + "\n";
        }
    }

    /** A page with its content type. */
    private record Page(String contentType, Supplier<byte[]> content) {}

    private static final int THREADS = 16;

    /** Enough for all probes and scrapers, and a small part of the 1024 files that a process may usually open. */
    static final int MAX_CONNECTIONS = 128;

    /** The property for the seconds until a request must have arrived. A value that a user has set is kept. */
    private static final String REQUEST_TIME = "sun.net.httpserver.maxReqTime";

    /** The property for the number of connections. The limit leaves files for the connections of informers. */
    private static final String CONNECTIONS = "jdk.httpserver.maxConnections";

    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService executor;
    private final Map<String, Page> pages = new LinkedHashMap<>();
    private final Map<String, HttpHandler> routes = new LinkedHashMap<>();
    private final Map<String, List<Check>> healths = new LinkedHashMap<>();

    private ManagerHttp(HttpServer server, ExecutorService executor) {
        this.server = server;
        this.executor = executor;
    }

    /**
     * Binds the port. {@link #start} begins to answer requests.
     *
     * @throws FailureException if the server cannot listen on the address
     */
    public static ManagerHttp bind(String address, int port) {
        setIfAbsent(REQUEST_TIME, 30);
        setIfAbsent(CONNECTIONS, MAX_CONNECTIONS);
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0);
            AtomicInteger count = new AtomicInteger();
            ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
                Thread thread = new Thread(task, "kubeloop-manager-http-" + count.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });
            server.setExecutor(executor);
            return new ManagerHttp(server, executor);
        } catch (IOException e) {
            throw new FailureException(
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
     * Adds a health page, which answers 200 if all checks succeed and otherwise 500 with the failures. Call it before
     * {@link #start}.
     */
    public ManagerHttp health(String path, Check... checks) {
        healths.put(path, List.of(checks));
        return this;
    }

    /**
     * Adds a handler that answers the requests for a path, of all methods, and keeps the exchange open as long as it runs. Call it
     * before {@link #start}.
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
            List<Check> health = healths.get(path);
            Page page = pages.get(path);
            HttpHandler route = routes.get(path);
            String method = exchange.getRequestMethod();
            if (route != null) {
                route.handle(exchange);
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, 405, TEXT, utf8(method + " is not supported; use GET or HEAD\n"));
            } else if (health != null) {
                health(exchange, path, health.stream().map(Check::run).toList());
            } else if (page != null) {
                page(exchange, page);
            } else {
                send(exchange, 404, TEXT, utf8("no page at " + path + "; the pages are " + known() + "\n"));
            }
        }
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

    private static void health(HttpExchange exchange, String path, List<Finding> findings) throws IOException {
        boolean well = findings.stream().allMatch(Finding::isFine);
        String query = exchange.getRequestURI().getQuery();
        boolean verbose = !well || (query != null && query.startsWith("verbose"));
        StringBuilder text = new StringBuilder();
        if (verbose) {
            findings.forEach(finding -> text.append(finding.line()));
            text.append(path, 1, path.length()).append(well ? " check passed\n" : " check failed\n");
        } else {
            text.append("ok");
        }
        send(exchange, well ? 200 : 500, TEXT, utf8(text.toString()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, int code, String contentType, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
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
