/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Presses every key of a demo in a terminal, and checks on its page what each one does. The command {@code script}
 * provides the terminal.
 *
 * <p>Usage: {@code TerminalCheck KUBELOOP}.
 */
final class TerminalCheck implements AutoCloseable {

    private static final Pattern PAGE = Pattern.compile("lessons;\\s+(http://127\\.0\\.0\\.1:\\d+/)#key=(\\S+)");

    private final Process process;
    private final OutputStream keys;
    private final StringBuffer output = new StringBuffer();
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger lists = new AtomicInteger();
    private String page = "";
    private String key = "";

    private TerminalCheck(String kubeloop) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("script", "-qfec", "stty cols 120 rows 50; exec " + kubeloop + " demo", "/dev/null");
        builder.environment().put("TERM", "xterm");
        process = builder.redirectErrorStream(true).start();
        keys = process.getOutputStream();
        Thread reader = new Thread(this::read, "output");
        reader.setDaemon(true);
        reader.start();
    }

    public static void main(String[] args) throws Exception {
        try (TerminalCheck check = new TerminalCheck(args[0])) {
            check.run();
            System.out.println("ok     terminal");
        } catch (IllegalStateException e) {
            System.out.println("FAILED terminal: " + e.getMessage());
            System.exit(1);
        }
    }

    private void read() {
        try (InputStream in = process.getInputStream()) {
            byte[] bytes = new byte[8192];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                output.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
            }
        } catch (java.io.IOException e) {
            output.append(e); // the terminal has been closed
        }
    }

    private JsonObject stages() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(page + "live/stages.json"))
                .header("Authorization", "Bearer " + key)
                .build();
        return JsonObject.parse(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private static JsonObject pods(JsonObject stages) {
        for (JsonValue informer : stages.array("informers").elements()) {
            if (((JsonObject) informer).string("resource").equals("pods")) {
                return (JsonObject) informer;
            }
        }
        throw new IllegalStateException("there is no informer of pods");
    }

    private static long watches(JsonObject stages) {
        return stages.array("informers").elements().stream()
                .mapToLong(informer -> ((JsonObject) informer).number("watches"))
                .sum();
    }

    /** Counts the lists that the stream of the page reports, from now on. */
    private void countLists() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(page + "live/stream"))
                .header("Authorization", "Bearer " + key)
                .build();
        Stream<String> lines =
                http.send(request, HttpResponse.BodyHandlers.ofLines()).body();
        Thread counter = new Thread(
                () -> lines.filter(line -> line.contains("\"kind\":\"listed\""))
                        .forEach(line -> lists.incrementAndGet()),
                "lists");
        counter.setDaemon(true);
        counter.start();
    }

    private static boolean hasFault(JsonObject stages, String name) {
        return stages.array("faults").toString().contains("\"" + name + "\"");
    }

    private JsonObject await(String what, Predicate<JsonObject> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        JsonObject stages = stages();
        while (!condition.test(stages)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within a minute: " + what + "; the stages are " + stages);
            }
            TimeUnit.MILLISECONDS.sleep(100);
            stages = stages();
        }
        return stages;
    }

    private void press(char key) throws Exception {
        keys.write(key);
        keys.flush();
    }

    /** Presses a key and waits for its effect. */
    private void press(char key, String effect, Predicate<JsonObject> condition) throws Exception {
        press(key);
        await("key " + key + ": " + effect, condition);
        System.out.println("ok     key " + key + ": " + effect);
    }

    private void awaitOutput(String text) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (output.indexOf(text) < 0) {
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new IllegalStateException("no '" + text + "' in the output: " + output);
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private void run() throws Exception {
        awaitOutput("demo: settled");
        awaitOutput("keys: 1-9 a fault");
        awaitOutput("> store ");
        Matcher address = PAGE.matcher(output);
        Parts.require(address.find(), "the output has no address of the page: " + output);
        page = address.group(1);
        key = address.group(2);
        quiet();

        press('p', "the demo pauses", stages -> stages.string("speed").equals("paused"));
        long pods = pods(stages()).number("objects");
        createPod("stepped");
        Parts.require(pods(stages()).number("objects") == pods, "a paused demo stores a pod");
        for (int i = 0; i < 100 && pods(stages()).number("objects") == pods; i++) {
            press('.');
            TimeUnit.MILLISECONDS.sleep(200);
        }
        await("key .: steps store the pod", stages -> pods(stages).number("objects") == pods + 1);
        System.out.println("ok     key .: steps store the pod");
        press('s', "slow motion", stages -> stages.string("speed").equals("slow"));
        press('r', "real time", stages -> stages.string("speed").equals("real"));

        countLists();
        JsonObject before = quiet();
        press(
                '1',
                "the watches end",
                stages -> watches(stages)
                        >= watches(before)
                                + before.array("informers").elements().size());
        quiet();
        Parts.require(lists.get() == 0, "informers list after the end of a watch");
        press('2', "informers list again", stages -> lists.get() > 0);
        JsonObject limited = quiet();
        press(
                '3',
                "the informer of pods is rejected",
                stages -> pods(stages).number("errors") > pods(limited).number("errors"));
        quiet();
        press('4', "the events of pods are withheld", stages -> hasFault(stages, "stale-cache"));
        press('5', "the handler is slow", stages -> hasFault(stages, "slow-handler"));
        press('6', "the handler throws", stages -> hasFault(stages, "throwing-handler"));
        press('7', "the server is slow", stages -> hasFault(stages, "slow-server"));
        press('8', "the leader is cut off", stages -> hasFault(stages, "two-leaders"));
        int active = stages().array("faults").elements().size();
        press(
                '9',
                "the next creation loses its answer",
                stages -> stages.array("faults").elements().size() == active + 1);
        press(
                '0',
                "no fault is active",
                stages -> stages.array("faults").elements().isEmpty());
    }

    private JsonObject quiet() throws Exception {
        return await(
                "all informers watch",
                stages -> stages.array("informers").elements().stream()
                        .allMatch(informer ->
                                ((JsonObject) informer).string("state").equals("watching")));
    }

    private void createPod(String name) throws Exception {
        String body = "{\"do\":\"request\",\"method\":\"POST\",\"path\":\"/api/v1/namespaces/default/pods\","
                + "\"body\":{\"apiVersion\":\"v1\","
                + "\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name
                + "\"},\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]}}}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(page + "live/do"))
                .header("X-Kubeloop-Page", "1")
                .header("Authorization", "Bearer " + key)
                .header("Origin", page.replaceFirst("/$", ""))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        Parts.require(answer.contains("\"code\":201"), "the creation of a pod answers " + answer);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }
}
