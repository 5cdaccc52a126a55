/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.demo.live.LiveFeed.Viewer;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.command.pages.ManagerHttp;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Serves a live view over HTTP: the page, its files, the state of the stages and the stream of server-sent events.
 *
 * <p>A browser executes requests of any page that it shows. So every request must name this machine as its host, which
 * a page behind a rebound DNS name does not, unless the server listens on another address than loopback. A request that
 * changes something must also come from the live page itself: it must have the page's origin and a header that other
 * pages cannot send without a preflight request, which this server does not answer. The page has a
 * {@link PageKey}. A client without it can neither read objects nor send commands, so other users of the machine
 * cannot act through the page.
 *
 * <p>Thread-safe. Each viewer occupies a thread of the HTTP server, {@value #VIEWERS} at most.
 */
public final class LivePage {

    /** The file of the texts about faults, which other code reads too. */
    public static final String FAULTS = "faults.json";

    /** The file of the lessons. */
    public static final String LESSONS = "lessons.json";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml",
            "md", "text/plain; charset=utf-8");

    private static final List<String> FILES = List.of(
            "page.css",
            "icon.svg",
            "main.js",
            "model.js",
            "recording.js",
            "pipeline.js",
            "panels.js",
            "lessons.js",
            "words.js",
            FAULTS,
            LESSONS);

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final int VIEWERS = 8;

    private static final int STAGES_MILLIS = 250;

    /** The time between two messages with passages. More messages would cost a browser more than their content does. */
    private static final int PASSAGES_MILLIS = 40;

    /** A command of the page is a short JSON document. */
    private static final int LONGEST_COMMAND = 64 * 1024;

    private final LiveView view;
    private final boolean loopback;
    private final @Nullable UnaryOperator<JsonObject> commands;
    private final PageKey key;
    private final Semaphore viewers = new Semaphore(VIEWERS);

    private LivePage(LiveView view, boolean loopback, @Nullable UnaryOperator<JsonObject> commands, PageKey key) {
        this.key = key;
        this.view = view;
        this.loopback = loopback;
        this.commands = commands;
    }

    /**
     * Adds a page that only reads. Call it before the server starts.
     *
     * @param key the credential that requests for objects need
     */
    public static void addTo(ManagerHttp http, LiveView view, boolean loopback, PageKey key) {
        new LivePage(view, loopback, null, key).add(http);
    }

    /**
     * Adds a page with commands. The server must listen on a loopback address. Call it before the server starts.
     *
     * @param key the credential that requests for objects and commands need
     * @param commands executes a command and returns the answer; an {@link IllegalArgumentException} becomes a 400
     */
    public static void addTo(ManagerHttp http, LiveView view, PageKey key, UnaryOperator<JsonObject> commands) {
        new LivePage(view, true, commands, key).add(http);
    }

    /** Returns a file of the page as JSON. */
    public static JsonArray table(String file) {
        return JsonObject.parse(file(file)).array("entries");
    }

    private void add(ManagerHttp http) {
        http.route("/", exchange -> send(exchange, "index.html", file("index.html")));
        for (String name : FILES) {
            http.route("/live/" + name, exchange -> send(exchange, name, file(name)));
        }
        http.route("/live/stages.json", exchange -> {
            if (!lacksKey(exchange)) {
                send(exchange, "stages.json", bytes(stages()));
            }
        });
        http.route("/live/store.json", exchange -> {
            if (!lacksKey(exchange)) {
                send(exchange, "store.json", bytes(view.store(parameter(exchange, "resource"))));
            }
        });
        http.route("/live/stream", this::stream);
        if (commands != null) {
            UnaryOperator<JsonObject> executed = commands;
            http.route("/live/do", exchange -> command(exchange, executed));
            for (String file : List.of(FAULTS, LESSONS)) {
                table(file).elements().forEach(entry -> addDocs(http, ((JsonObject) entry).string("docs", "file")));
            }
        }
    }

    /** Serves a page of the book, which the build copies beside the page, as text. */
    private void addDocs(ManagerHttp http, String name) {
        http.route("/docs/" + name, exchange -> send(exchange, name, file("docs/" + name)));
    }

    private JsonObject stages() {
        return view.stages().with("commands", commands != null);
    }

    private static byte[] file(String name) {
        try (InputStream in = LivePage.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name + " is missing from the build")
                    .readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot read " + name, e);
        }
    }

    private static byte[] bytes(JsonObject json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a parameter of the query; empty if it is absent. */
    private static String parameter(HttpServerExchange exchange, String name) {
        for (String pair : exchange.target().rawQuery().split("&", -1)) {
            if (pair.startsWith(name + "=")) {
                return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    private void send(HttpServerExchange exchange, String name, byte[] content) throws IOException {
        if (isForeign(exchange) || !isMethod(exchange, "GET")) {
            return;
        }
        answer(exchange, 200, Objects.requireNonNull(TYPES.get(name.substring(name.lastIndexOf('.') + 1))), content);
    }

    private static void answer(HttpServerExchange exchange, int code, String type, byte[] content) throws IOException {
        secure(exchange, type);
        exchange.reply(code, content);
    }

    private static void secure(HttpServerExchange exchange, String type) {
        exchange.setHeader("Content-Type", type);
        exchange.setHeader("Cache-Control", "no-store");
        exchange.setHeader("Content-Security-Policy", POLICY);
        exchange.setHeader("X-Content-Type-Options", "nosniff");
        exchange.setHeader("Referrer-Policy", "no-referrer");
        exchange.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    }

    private static void refuse(HttpServerExchange exchange, int code, String why) throws IOException {
        answer(exchange, code, "text/plain; charset=utf-8", (why + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isMethod(HttpServerExchange exchange, String method) throws IOException {
        if (exchange.method().equals(method)) {
            return true;
        }
        exchange.setHeader("Allow", method);
        refuse(exchange, 405, "use " + method);
        return false;
    }

    /** Refuses a request that names another host, and returns whether it did. */
    private boolean isForeign(HttpServerExchange exchange) throws IOException {
        if (!loopback || isLoopback(exchange.header("Host"))) {
            return false;
        }
        refuse(exchange, 403, "the live page answers requests to a loopback address only");
        return true;
    }

    /** Refuses a request without the key of the page, and returns whether it did. Reads nothing of the body. */
    private boolean lacksKey(HttpServerExchange exchange) throws IOException {
        if (isForeign(exchange)) {
            return true;
        }
        if (key.isHeldBy(exchange)) {
            return false;
        }
        refuse(exchange, 401, "open the address that the program printed, with its key");
        return true;
    }

    private static boolean isLoopback(String host) {
        String name = host.replaceFirst(":\\d+$", "");
        boolean isAddress = name.matches("\\d+\\.\\d+\\.\\d+\\.\\d+|\\[[0-9a-fA-F:.]+\\]");
        try {
            return name.equals("localhost")
                    || (isAddress && InetAddress.getByName(name).isLoopbackAddress());
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private void command(HttpServerExchange exchange, UnaryOperator<JsonObject> executed) throws IOException {
        if (lacksKey(exchange) || !isMethod(exchange, "POST")) {
            return;
        }
        String origin = exchange.header("Origin");
        if (!("http://" + exchange.header("Host")).equals(origin)
                || exchange.header("X-Kubeloop-Page").isEmpty()) {
            refuse(exchange, 403, "commands must come from the live page");
            return;
        }
        byte[] body = exchange.body().readNBytes(LONGEST_COMMAND + 1);
        if (body.length > LONGEST_COMMAND) {
            refuse(exchange, 413, "a command has " + LONGEST_COMMAND + " bytes at most");
            return;
        }
        JsonObject result;
        try {
            result = executed.apply(JsonObject.parse(body));
        } catch (DecodeException | IllegalArgumentException | IllegalStateException e) {
            refuse(exchange, 400, String.valueOf(e.getMessage()));
            return;
        }
        answer(exchange, 200, "application/json", bytes(result));
    }

    private void stream(HttpServerExchange exchange) throws IOException {
        if (lacksKey(exchange) || !isMethod(exchange, "GET")) {
            return;
        }
        if (!viewers.tryAcquire()) {
            refuse(exchange, 503, "there are " + VIEWERS + " viewers already");
            return;
        }
        try (Viewer viewer = view.feed().open(parameter(exchange, "follow"))) {
            secure(exchange, "text/event-stream");
            stream(exchange.replyInChunks(200), viewer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server closes
        } finally {
            viewers.release();
        }
    }

    /** Writes until the viewer leaves, which makes a write fail, or the server closes. */
    private void stream(OutputStream out, Viewer viewer) throws IOException, InterruptedException {
        long stagesAt = System.nanoTime();
        event(out, "stages", stages().toString());
        while (true) {
            TimeUnit.MILLISECONDS.sleep(PASSAGES_MILLIS);
            List<JsonObject> passages = viewer.take();
            if (!passages.isEmpty()) {
                event(out, "passages", JsonArray.of(passages).toString());
            }
            if ((System.nanoTime() - stagesAt) / 1_000_000 >= STAGES_MILLIS) {
                stagesAt = System.nanoTime();
                event(out, "stages", stages().with("missed", viewer.dropped()).toString());
            }
        }
    }

    private static void event(OutputStream out, String name, String data) throws IOException {
        out.write(("event: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
