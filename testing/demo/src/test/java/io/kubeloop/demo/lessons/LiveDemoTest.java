/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.lessons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.apiserver.command.ServingOptions;
import io.kubeloop.apiserver.http.BearerTokens;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.demo.live.LivePage;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LiveDemoTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LiveDemo demo = LiveDemo.start(
            new ServingOptions.Serving(HttpApiServer.Config.DEFAULT, "a bundle", "", false, Map.of()), 0, 0);

    @BeforeEach
    void awaitLeader() throws InterruptedException {
        assertThat(demo.awaitInformers()).contains("pods", "replicasets.apps");
        await().atMost(PATIENCE).until(this::isSynced);
    }

    @AfterEach
    void close() {
        demo.close();
    }

    private boolean isSynced() throws Exception {
        return stages().array("informers").elements().stream()
                .allMatch(informer -> informer.toString().contains("\"synced\":true"));
    }

    private JsonObject stages() throws IOException {
        return JsonObject.parse(get("/live/stages.json").body());
    }

    private JsonObject pods() throws IOException {
        return named(stages(), "informers", "resource", "pods");
    }

    private static JsonObject named(JsonObject json, String list, String member, String name) {
        for (JsonValue each : json.array(list).elements()) {
            if (((JsonObject) each).string(member).equals(name)) {
                return (JsonObject) each;
            }
        }
        return JsonObject.EMPTY;
    }

    /** The answer of a server, read until it closed the connection. */
    private record Answer(int code, String headers, String body) {}

    /**
     * Sends a request of HTTP/1.0, so no chunks split the answer. {@code HttpURLConnection} cannot set the header
     * Origin.
     */
    private Answer send(String method, String path, String content, String... headers) throws IOException {
        try (Socket socket = open(method, path, content, headers)) {
            String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int end = text.indexOf("\r\n\r\n");
            return new Answer(Integer.parseInt(text.substring(9, 12)), text.substring(0, end), text.substring(end + 4));
        }
    }

    private Socket open(String method, String path, String content, String... headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), demo.page().getPort());
        String request =
                method + " " + path + " HTTP/1.0\r\nHost: " + demo.page().getAuthority()
                        + "\r\nConnection: close\r\nContent-Length: " + content.length() + "\r\n"
                        + String.join("", headers) + "\r\n" + content;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    /** The header with the key of the page. */
    private String key() {
        return "Authorization: Bearer " + demo.page().getFragment().substring("key=".length()) + "\r\n";
    }

    private Answer get(String path) throws IOException {
        return send("GET", path, "", key());
    }

    private void execute(String command) {
        demo.execute(JsonObject.parse(command));
    }

    private void createPod(String name) {
        execute("{\"do\":\"request\",\"method\":\"POST\",\"path\":\"" + PODS
                + "\",\"body\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\"," + "\"metadata\":{\"name\":\"" + name
                + "\"},\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]}}}");
    }

    @Test
    void command_actsAsTheUserOfTheKubeconfig() {
        BearerTokens tokens = BearerTokens.of(Map.of("t", new BearerTokens.User("jane", "", List.of("devs"))));
        HttpApiServer.Config config = HttpApiServer.Config.DEFAULT.withTokens(tokens);
        try (LiveDemo other = LiveDemo.start(new ServingOptions.Serving(config, "", "t", true, Map.of()), 0, 0)) {
            JsonObject answer = other.execute(
                    JsonObject.parse("{\"do\":\"request\",\"method\":\"DELETE\",\"path\":\"" + PODS + "/one\"}"));
            assertThat(answer.number("code")).isEqualTo(403);
            assertThat(answer.string("message"))
                    .isEqualTo("pods \"one\" is forbidden: User \"jane\" cannot delete resource \"pods\" in API group"
                            + " \"\" in the namespace \"default\"");
        }
    }

    /** The stages of the page and the state of the code are equal once nothing is under way. */
    @Test
    void stages_whenQuiet_equalTheCachesTheServerAndTheQueues() throws Exception {
        createPod("one");
        createPod("two");
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonObject stages = stages();
            JsonObject pods = named(stages, "informers", "resource", "pods");
            assertThat(pods.number("objects")).isEqualTo(2);
            assertThat(pods.number("queued")).isZero();
            assertThat(pods.string("stored")).isEqualTo(pods.string("received"));
            for (JsonValue handler : pods.array("handlers").elements()) {
                assertThat(((JsonObject) handler).number("pending")).isZero();
                // Each pod was added, bound to a node, and reported as running.
                assertThat(((JsonObject) handler).number("delivered")).isGreaterThanOrEqualTo(6L);
            }
            JsonObject queue = named(stages, "queues", "name", "viewer");
            assertThat(queue.number("depth")).isZero();
            assertThat(queue.number("busy")).isZero();
            assertThat(queue.number("adds")).isEqualTo(queue.number("syncs")).isPositive();
            assertThat(stages.object("lease").string("holder")).startsWith("manager-");
        });
        JsonObject store =
                JsonObject.parse(get("/live/store.json?resource=pods").body());
        assertThat(store.array("items").toString()).contains("default/one", "default/two");
        assertThat(store.array("indices").toString()).contains("\"value\":\"default\",\"objects\":2");
    }

    @Test
    void namespaces_haveTheBundleThatVerifiesTheServer() {
        await().atMost(PATIENCE)
                .ignoreExceptionsMatching(e -> e instanceof ApiException missing && missing.isNotFound())
                .untilAsserted(() -> assertThat(demo.plane()
                                .client()
                                .resource(ResourceTypes.CONFIG_MAPS)
                                .get(new ObjectName("default", "kube-root-ca.crt"))
                                .data())
                        .containsEntry("ca.crt", "a bundle"));
    }

    @Test
    void stream_reportsAnEventAtEveryStageInOrder() throws Exception {
        try (Socket stream = open("GET", "/live/stream?follow=default/seen", "", key());
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8))) {
            String first = lines.readLine();
            while (!first.equals("event: stages")) {
                assertThat(first).doesNotContainIgnoringCase("content-type: text/plain");
                first = lines.readLine();
            }
            createPod("seen");
            StringBuilder seen = new StringBuilder();
            while (!seen.toString().contains("worker of viewer is done")) {
                String line = lines.readLine();
                if (line.startsWith("data: [")) {
                    describe(line, seen);
                }
            }
            assertThat(seen.toString())
                    .containsSubsequence(
                            "reflector added",
                            "store added",
                            "listeners added",
                            "queue added",
                            "worker of viewer is done");
        }
    }

    private static void describe(String line, StringBuilder seen) {
        for (JsonValue each : JsonObject.parse("{\"all\":" + line.substring(6) + "}")
                .array("all")
                .elements()) {
            JsonObject passage = (JsonObject) each;
            if (!passage.string("key").equals("default/seen")) {
                continue;
            }
            boolean ofViewer = passage.string("lane").equals("viewer");
            if (ofViewer && passage.string("kind").equals("done")) {
                seen.append("worker of viewer is done\n");
            } else if (ofViewer
                    || (passage.string("lane").equals("pods")
                            && (!passage.string("stage").equals("listeners")
                                    || passage.string("by").startsWith("viewer")))) {
                seen.append(passage.string("stage"))
                        .append(' ')
                        .append(passage.string("kind"))
                        .append('\n');
            }
        }
    }

    @Test
    void pause_holdsAnEventBeforeTheStore_untilItIsStepped() throws Exception {
        try (Socket viewer = open("GET", "/live/stream?" + demo.page().getFragment(), "")) {
            assertThat(viewer.getInputStream().read()).isEqualTo('H');
            execute("{\"do\":\"speed\",\"name\":\"paused\"}");
            createPod("held");
            assertThat(pods().number("objects")).isZero();
            await().atMost(PATIENCE).until(() -> {
                execute("{\"do\":\"step\"}");
                return pods().number("objects") == 1;
            });
        }
        // The last viewer has left, so the demo runs again.
        await().atMost(PATIENCE).until(() -> stages().string("speed").equals("real"));
    }

    @Test
    void throwingHandler_isCounted_andOthersGoOn() {
        execute("{\"do\":\"fault\",\"name\":\"throwing-handler\"}");
        createPod("thrown");
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(named(pods(), "handlers", "name", "viewer").number("failed"))
                    .isPositive();
            assertThat(pods().number("objects")).isEqualTo(1);
        });
        execute("{\"do\":\"clear\"}");
    }

    /**
     * Also right after a watch has begun: the fault must not end it, because a backoff would not end while the clock
     * stands.
     */
    @Test
    void staleCache_withholdsTheEvents_andTheWatchStaysOpen() throws Exception {
        createPod("kept");
        await().atMost(PATIENCE).until(() -> pods().number("objects") == 1);
        for (int i = 0; i < 3; i++) {
            execute("{\"do\":\"fault\",\"name\":\"stale-cache\"}");
            execute("{\"do\":\"speed\",\"name\":\"frozen\"}");
            long watches = pods().number("watches");
            createPod("late-" + i);
            assertThat(pods().number("objects")).isEqualTo(1L + i);
            assertThat(pods().string("state")).isEqualTo("watching");
            assertThat(stages().array("faults").toString()).contains("stale-cache");

            if (i == 1) {
                execute("{\"do\":\"speed\",\"name\":\"fast\"}"); // eight seconds of the demo pass
            } else {
                execute("{\"do\":\"clear\"}");
            }
            long expected = 2L + i;
            await().atMost(PATIENCE).until(() -> pods().number("objects") == expected);
            assertThat(pods().number("watches")).isEqualTo(watches);
            assertThat(stages().array("faults").elements()).isEmpty();
        }
    }

    @Test
    void twoLeaders_theLeaderStops_andTheOtherTakesOver() throws Exception {
        String first = stages().object("lease").string("holder");
        execute("{\"do\":\"fault\",\"name\":\"two-leaders\"}");
        await().atMost(PATIENCE)
                .until(
                        () -> stages().object("lease").string("holder"),
                        holder -> !holder.isEmpty() && !holder.equals(first));
    }

    @Test
    void commands_fromOtherPages_areRefused() throws Exception {
        String reset = "{\"do\":\"reset\"}";
        String own = "Origin: http://" + demo.page().getAuthority() + "\r\n";
        String mark = "X-Kubeloop-Page: 1\r\n";

        assertThat(send("POST", "/live/do", reset, key()).code()).isEqualTo(403);
        assertThat(send("POST", "/live/do", reset, key(), "Origin: http://evil.example\r\n", mark)
                        .code())
                .isEqualTo(403);
        assertThat(send("POST", "/live/do", reset, key(), own).code()).isEqualTo(403);
        assertThat(send("GET", "/live/do", "", key(), own, mark).code()).isEqualTo(405);
        for (String bad : List.of("{\"do\":\"dance\"}", "{", "", "[]", "\"x", "{\"do\":\"request\"}")) {
            assertThat(send("POST", "/live/do", bad, key(), own, mark).code())
                    .as(bad)
                    .isEqualTo(400);
        }
        assertThat(send("POST", "/live/do", " ".repeat(70_000), key(), own, mark)
                        .code())
                .isEqualTo(413);
        assertThat(send("POST", "/live/do", reset, key(), own, mark).code()).isEqualTo(200);
    }

    /** Another user of the machine can reach the page, but neither reads objects nor acts as the administrator. */
    @Test
    void requests_withoutTheKey_areUnauthorized() throws Exception {
        String own = "Origin: http://" + demo.page().getAuthority() + "\r\n";
        String mark = "X-Kubeloop-Page: 1\r\n";
        String create = "{\"do\":\"request\",\"method\":\"POST\",\"path\":\"" + PODS + "\"}";
        for (String wrong : List.of("", "Authorization: Bearer x\r\n", "Authorization: Basic eDp5\r\n")) {
            assertThat(send("POST", "/live/do", create, wrong, own, mark).code())
                    .isEqualTo(401);
            assertThat(send("GET", "/live/store.json?resource=secrets", "", wrong)
                            .code())
                    .isEqualTo(401);
            assertThat(send("GET", "/live/stages.json", "", wrong).code()).isEqualTo(401);
            assertThat(send("GET", "/live/stream?follow=&key=x", "", wrong).code())
                    .isEqualTo(401);
            assertThat(send("GET", "/", "", wrong).code()).isEqualTo(200);
        }
    }

    @Test
    void requests_thatNameAnotherHost_areRefused() throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), demo.page().getPort())) {
            socket.getOutputStream()
                    .write("GET /live/stages.json HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void page_hasNoInlineScriptAndAStrictPolicy() throws Exception {
        Answer page = get("/");
        assertThat(page.headers())
                .contains("Content-Security-Policy: default-src 'none'; script-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.body()).doesNotContain("<style", " style=", " onclick").doesNotContain("<script>");
    }

    @Test
    void faults_allHaveTexts() {
        List<String> described = LivePage.table(LivePage.FAULTS).elements().stream()
                .map(entry -> ((JsonObject) entry).string("name"))
                .toList();
        assertThat(demo.faults()).containsExactlyElementsOf(described);
    }

    @Test
    void lessons_areComplete_andUseCommandsThatExist() {
        List<JsonValue> lessons = LivePage.table(LivePage.LESSONS).elements();
        assertThat(lessons).hasSizeGreaterThanOrEqualTo(12);
        for (JsonValue each : lessons) {
            JsonObject lesson = (JsonObject) each;
            assertThat(List.of(
                            lesson.string("title"),
                            lesson.string("about"),
                            lesson.string("question"),
                            lesson.string("answer")))
                    .doesNotContain("");
            for (JsonValue step : lesson.array("steps").elements()) {
                for (JsonValue command : ((JsonObject) step).array("do").elements()) {
                    String name = ((JsonObject) command).string("do");
                    assertThat(name).isIn("request", "fault", "clear", "speed", "advance");
                    assertThat(!name.equals("fault") || demo.faults().contains(((JsonObject) command).string("name")))
                            .isTrue();
                }
            }
        }
    }
}
