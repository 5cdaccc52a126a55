/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A headless Chromium with one page, driven through its DevTools protocol. Used by one thread; the socket's thread
 * completes the answers.
 */
final class Browser implements AutoCloseable {

    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonObject>> calls = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<JsonObject> trace = Collections.synchronizedList(new ArrayList<>());
    private volatile CompletableFuture<Void> traced = new CompletableFuture<>();

    Browser(String chromium) throws Exception {
        profile = Files.createTempDirectory("kubeloop-page-");
        process = new ProcessBuilder(
                        chromium,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("log").toFile())
                .start();
        Path portFile = profile.resolve("DevToolsActivePort");
        for (int i = 0; i < 300 && !(Files.exists(portFile) && Files.size(portFile) > 0); i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        String port = Files.readAllLines(portFile).get(0);
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        JsonObject page = JsonObject.parse(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(page.string("webSocketDebuggerUrl")), new Answers())
                .join();
        for (String domain : List.of("Page", "Runtime", "Log")) {
            call(domain + ".enable", JsonObject.EMPTY);
        }
    }

    private final class Answers implements WebSocket.Listener {

        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                JsonObject message = JsonObject.parse(text.toString());
                text.setLength(0);
                accept(message);
            }
            from.request(1);
            return null;
        }
    }

    private void accept(JsonObject message) {
        Long id = message.number("id");
        if (id != null) {
            calls.remove(id.intValue()).complete(message);
            return;
        }
        switch (message.string("method")) {
            case "Runtime.exceptionThrown" ->
                complaints.add(message.object("params", "exceptionDetails").toString());
            case "Log.entryAdded" -> {
                if (message.string("params", "entry", "level").equals("error")) {
                    complaints.add(message.object("params", "entry").toString());
                }
            }
            case "Tracing.dataCollected" ->
                trace.addAll(message.array("params", "value").elements().stream()
                        .map(JsonObject.class::cast)
                        .toList());
            case "Tracing.tracingComplete" -> traced.complete(null);
            default -> {} // other news of the page
        }
    }

    /** Records what the threads of the browser do for some seconds, as trace events. */
    List<JsonObject> trace(int seconds, String categories) throws Exception {
        trace.clear();
        traced = new CompletableFuture<>();
        call("Tracing.start", JsonObject.EMPTY.with("categories", categories).with("transferMode", "ReportEvents"));
        TimeUnit.SECONDS.sleep(seconds);
        call("Tracing.end", JsonObject.EMPTY);
        traced.get(60, TimeUnit.SECONDS);
        return List.copyOf(trace);
    }

    /** Calls a method of the protocol; returns its result. */
    JsonObject call(String method, JsonObject parameters) throws Exception {
        int id = numbers.incrementAndGet();
        CompletableFuture<JsonObject> answer = new CompletableFuture<>();
        calls.put(id, answer);
        socket.sendText(
                JsonObject.EMPTY
                        .with("id", id)
                        .with("method", method)
                        .with("params", parameters)
                        .toString(),
                true);
        JsonObject message = answer.get(60, TimeUnit.SECONDS);
        if (!message.object("error").members().isEmpty()) {
            throw new IllegalStateException(method + ": " + message.object("error"));
        }
        return message.object("result");
    }

    /** Evaluates an expression, and waits for its promise. Returns the value as text. */
    String eval(String expression) throws Exception {
        JsonObject result = call(
                "Runtime.evaluate",
                JsonObject.EMPTY
                        .with("expression", "(async () => String(" + expression + "))()")
                        .with("awaitPromise", true)
                        .with("returnByValue", true));
        if (!result.object("exceptionDetails").members().isEmpty()) {
            throw new IllegalStateException(expression + ": " + result.object("exceptionDetails"));
        }
        return result.string("result", "value");
    }

    /** Waits until an expression is true; fails with the text of the page's scene otherwise. */
    void await(String expression, int seconds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!eval(expression).equals("true")) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within " + seconds + " s: " + expression + "; the page shows: "
                        + eval("document.getElementById('scene').innerText + ' | ' + "
                                + "document.getElementById('state').innerText"));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    void open(String url, int width, int height, boolean dark) throws Exception {
        size(width, height);
        call(
                "Emulation.setEmulatedMedia",
                JsonObject.parse("{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\""
                        + (dark ? "dark" : "light") + "\"}]}"));
        call("Page.navigate", JsonObject.EMPTY.with("url", url));
    }

    void size(int width, int height) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                JsonObject.EMPTY
                        .with("width", width)
                        .with("height", height)
                        .with("deviceScaleFactor", 1)
                        .with("mobile", false));
    }

    void click(String id) throws Exception {
        eval("document.getElementById('" + id + "').click()");
    }

    /** Sets the value of a field, as an input of the user. */
    void set(String id, String value, String event) throws Exception {
        eval("(() => { const e = document.getElementById('" + id + "'); e.value = '" + value
                + "'; e.dispatchEvent(new Event('" + event + "')); })()");
    }

    /** Presses a key as a person does, so focus and activation follow the browser's own rules. */
    void press(String key, int code, String text) throws Exception {
        for (String type : List.of("keyDown", "keyUp")) {
            JsonObject event = JsonObject.EMPTY
                    .with("type", type)
                    .with("key", key)
                    .with("code", key)
                    .with("windowsVirtualKeyCode", code);
            call(
                    "Input.dispatchKeyEvent",
                    type.equals("keyDown") && !text.isEmpty() ? event.with("text", text) : event);
        }
    }

    void screenshot(Path file) throws Exception {
        JsonObject picture = call(
                "Page.captureScreenshot", JsonObject.EMPTY.with("format", "png").with("captureBeyondViewport", true));
        Files.write(file, Base64.getDecoder().decode(picture.string("data")));
    }

    /** Keeps a small picture of a part of the page. */
    void picture(Path file, JsonObject clip) throws Exception {
        JsonObject picture = call(
                "Page.captureScreenshot",
                JsonObject.EMPTY.with("format", "webp").with("quality", 85).with("clip", clip));
        Files.write(file, Base64.getDecoder().decode(picture.string("data")));
    }

    /** Returns the errors of scripts, of loads and of the content security policy. */
    List<String> complaints() {
        return new ArrayList<>(complaints);
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        List<ProcessHandle> helpers = process.descendants().toList();
        process.destroy();
        process.onExit().join();
        helpers.forEach(ProcessHandle::destroyForcibly);
        helpers.forEach(helper -> helper.onExit().join()); // they write into the profile
        try (var files = Files.walk(profile)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        }
    }
}
