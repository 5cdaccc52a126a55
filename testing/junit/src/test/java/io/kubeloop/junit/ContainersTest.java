/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.controlplane.containers.SimulatedContainers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs, commands and ports of simulated containers, as clients over HTTP see them. */
@KubeloopTest(frozen = true)
@Timeout(60)
@SuppressWarnings("InlineFormatString") // a manifest stands apart from its use
class ContainersTest {

    private static final ObjectName WEB = new ObjectName("default", "web");
    private static final String POD = """
            {"metadata":{"name":"%s"},"spec":{"restartPolicy":"Never","containers":[
             {"name":"app","image":"nginx","env":[{"name":"A","value":"b"}]},{"name":"side","image":"busybox"}]}}""";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private TestCluster cluster;
    private SimulatedContainers containers;

    @BeforeEach
    void createPod(TestCluster testCluster) {
        cluster = testCluster;
        containers = cluster.containers();
        create("web");
        cluster.clock().awaitQuiet();
        assertThat(cluster.client()
                        .resource(ResourceTypes.PODS)
                        .get(WEB)
                        .status()
                        .phase())
                .isEqualTo("Running");
    }

    private void create(String name) {
        try (ApiResponse created = cluster.client()
                .transport()
                .execute(ApiRequest.of(
                        "POST",
                        "/api/v1/namespaces/default/pods",
                        Map.of(),
                        ApiRequest.Body.json(POD.formatted(name).getBytes(UTF_8))))) {
            assertThat(created.code()).isEqualTo(201);
        }
    }

    private String log(String query) throws Exception {
        HttpResponse<String> response = http.send(request(query), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() == 200
                ? response.body()
                : response.statusCode() + " "
                        + response.body().replaceAll("(?s).*\"message\": ?\"(.*?[^\\\\])\".*", "$1");
    }

    private HttpRequest request(String query) {
        return HttpRequest.newBuilder(URI.create(cluster.uri() + "/api/v1/namespaces/default/pods/web/log" + query))
                .build();
    }

    @Test
    void log_hasTheStartOfTheContainer_andScriptedLines() throws Exception {
        containers.log(WEB, "app", "one\ntwo");
        containers.logError(WEB, "app", "bad");
        containers.log(WEB, "side", "other");
        String begin = "app started in pod web\napp image nginx\n";

        assertThat(log("?container=app")).isEqualTo(begin + "one\ntwo\nbad\n");
        assertThat(log("?container=app&tailLines=2")).isEqualTo("two\nbad\n");
        assertThat(log("?container=app&tailLines=0")).isEmpty();
        assertThat(log("?container=app&stream=Stderr")).isEqualTo("bad\n");
        assertThat(log("?container=app&limitBytes=5")).isEqualTo("app s");
        assertThat(log("?container=app&tailLines=1&timestamps=true"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z bad\n");
        cluster.clock().advance(Duration.ofMinutes(5));
        containers.log(WEB, "app", "late");
        assertThat(log("?container=app&sinceSeconds=60")).isEqualTo("late\n");
        assertThat(log("?container=app&sinceTime="
                        + cluster.clock().clock().instant().minusSeconds(60)))
                .isEqualTo("late\n");
        assertThat(log("?container=app&previous=true"))
                .isEqualTo("400 previous terminated container \\\"app\\\" in pod \\\"web\\\" not found");
        assertThat(log("")).isEqualTo("400 a container name must be specified for pod web, choose one of: [app side]");
    }

    @Test
    void followedLog_showsLinesAsTheyCome_untilTheContainerEnds() throws Exception {
        HttpResponse<InputStream> response =
                http.send(request("?container=app&follow=true&tailLines=0"), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream lines = response.body()) {
            containers.log(WEB, "app", "live");
            assertThat(new String(lines.readNBytes(5), UTF_8)).isEqualTo("live\n");

            annotate("sim/complete-after-ms", "0");

            assertThat(new String(lines.readAllBytes(), UTF_8)).isEqualTo("app exited with code 0\n");
        }
    }

    private void annotate(String name, String value) {
        String patch = "{\"metadata\":{\"annotations\":{\"" + name + "\":\"" + value + "\"}}}";
        try (ApiResponse patched = cluster.client()
                .transport()
                .execute(ApiRequest.of(
                        "PATCH",
                        "/api/v1/namespaces/default/pods/web",
                        Map.of(),
                        new ApiRequest.Body("application/merge-patch+json", patch.getBytes(UTF_8))))) {
            assertThat(patched.code()).isEqualTo(200);
        }
    }

    /** Executes a command and returns its output, its errors and its result. */
    private List<String> exec(String input, String... words) throws Exception {
        StringBuilder query = new StringBuilder("container=app&stdin=1&stdout=1&stderr=1");
        for (String word : words) {
            query.append("&command=").append(URLEncoder.encode(word, UTF_8));
        }
        try (Socket socket = upgrade(query.toString())) {
            try {
                send(socket, "\0" + input);
                send(socket, "\u00ff\0");
            } catch (SocketException e) {
                // A command that does not read its input may end before it arrives; the output tells.
            }
            return outputs(new DataInputStream(socket.getInputStream()));
        }
    }

    /** Requests a WebSocket for a command. */
    private Socket upgrade(String query) throws IOException {
        URI uri = cluster.uri();
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.getOutputStream()
                .write(("GET /api/v1/namespaces/default/pods/web/exec?" + query + " HTTP/1.1\r\nHost: localhost\r\n"
                                + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: a\r\nSec-WebSocket-Protocol: v5.channel.k8s.io\r\n\r\n")
                        .getBytes(ISO_8859_1));
        return socket;
    }

    private static void send(Socket socket, String message) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(
                new byte[] {(byte) 0x82, (byte) 0xfe, (byte) (message.length() >> 8), (byte) message.length()});
        frame.writeBytes(new byte[4]);
        frame.writeBytes(message.getBytes(ISO_8859_1));
        socket.getOutputStream().write(frame.toByteArray());
    }

    private static List<String> outputs(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        assertThat(head.toString()).startsWith("HTTP/1.1 101 ");
        List<StringBuilder> channels =
                List.of(new StringBuilder(), new StringBuilder(), new StringBuilder(), new StringBuilder());
        for (int first = in.readUnsignedByte(); (first & 0xf) != 8; first = in.readUnsignedByte()) {
            int length = in.readUnsignedByte();
            byte[] message = new byte[length < 126 ? length : in.readUnsignedShort()];
            in.readFully(message);
            channels.get(message[0]).append(new String(message, 1, message.length - 1, UTF_8));
        }
        return channels.subList(1, 4).stream().map(StringBuilder::toString).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''         | echo,a,b                      | a b~                 | ''                               "
                        + "  | Success",
                "in         | cat                           | in                   | ''                               "
                        + "  | Success",
                "''         | cat,/none                     | ''                   | cat: /none: No such file or "
                        + "directory~ | ExitCode",
                "''         | sh,-c,exit 3                  | ''                   | ''                               "
                        + "  | '\"message\":\"3\"'",
                "''         | sh,-c,nosuch                  | ''                   | sh: nosuch: not found~           "
                        + "  | '\"message\":\"127\"'",
                "''         | nosuch                        | ''                   | ''                               "
                        + "  | executable file not found in $PATH",
                "'echo \"x  y\"~exit 2~' | sh               | x  y~                | ''                               "
                        + "  | '\"message\":\"2\"'",
                "''         | env                           | HOSTNAME=web~A=b~    | ''                               "
                        + "  | Success",
                "''         | sh,-c,mkdir /tmp/d; ls /tmp; test -d /tmp/d | d~     | ''                               "
                        + "  | Success",
                "''         | test,-f,/tmp                  | ''                   | ''                               "
                        + "  | ExitCode",
            })
    void command_runsInASmallSetOfPrograms(String input, String words, String out, String err, String result)
            throws Exception {
        List<String> outputs = exec(input.replace('~', '\n'), words.split(",", -1));
        assertThat(outputs.get(0)).isEqualTo(out.replace('~', '\n'));
        assertThat(outputs.get(1)).isEqualTo(err.replace('~', '\n'));
        assertThat(outputs.get(2)).contains(result);
    }

    @Test
    void scriptedCommand_isAFunction() throws Exception {
        containers.onExec(execution -> {
            if (!execution.command().get(0).equals("psql")) {
                return OptionalInt.empty();
            }
            execution.stdin().transferTo(execution.stdout());
            execution.stderr().write((execution.pod().name() + "/" + execution.container()).getBytes(UTF_8));
            return OptionalInt.of(7);
        });
        List<String> outputs = exec("select 1", "psql", "-c");
        assertThat(outputs.subList(0, 2)).isEqualTo(List.of("select 1", "web/app"));
        assertThat(outputs.get(2)).contains("\"reason\":\"NonZeroExitCode\"", "\"message\":\"7\"");
        assertThat(exec("", "hostname").get(0)).isEqualTo("web\n");
        containers.onExec(execution -> {
            throw new IllegalStateException("a mistake of the test");
        });
        assertThat(exec("", "hostname").get(2)).contains("a mistake of the test");
    }

    @Test
    void handlerWhoseClientLeaves_isInterrupted() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        containers.onExec(execution -> {
            began.countDown();
            try {
                TimeUnit.DAYS.sleep(1);
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return OptionalInt.of(0);
        });
        try (Socket socket = upgrade("container=app&stdout=1&command=x")) {
            began.await();
            socket.shutdownOutput();
        }
        interrupted.await();
    }

    @Test
    void commandInAContainerThatHasEnded_isRefused() throws Exception {
        annotate("sim/complete-after-ms", "0");
        cluster.clock().awaitQuiet();
        try (Socket socket = upgrade("container=app&stdout=1&command=x")) {
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 500 ")
                    .contains("container not found (\\\"app\\\")");
        }
        assertThat(log("?container=app")).endsWith("app exited with code 0\n");
    }

    private String proxied(String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(cluster.uri() + "/api/v1/namespaces/default/" + path))
                .method(method, HttpRequest.BodyPublishers.ofString(method.equals("GET") ? "" : "body"))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    @Test
    void proxyOfAPod_reachesItsPort() throws Exception {
        assertThat(proxied("GET", "pods/web:8080/proxy/some/path?q=1"))
                .startsWith("200 ")
                .contains("web")
                .contains("8080")
                .contains("/some/path");
        containers.onForward(connection -> {
            if (connection.port() == 81) {
                String request = new String(connection.input().readNBytes(4), ISO_8859_1);
                connection
                        .output()
                        .write(("HTTP/1.1 202 Accepted\r\nContent-Length: 4\r\n\r\n" + request).getBytes(ISO_8859_1));
                return true;
            }
            return false;
        });
        assertThat(proxied("POST", "pods/web:81/proxy/")).isEqualTo("202 POST");
        assertThat(proxied("GET", "pods/https:web:81/proxy/"))
                .startsWith("503 ")
                .contains("error trying to reach service: http: server gave HTTP response to HTTPS client");
    }

    private void post(String path, String body) {
        try (ApiResponse created = cluster.client()
                .transport()
                .execute(ApiRequest.of("POST", path, Map.of(), ApiRequest.Body.json(body.getBytes(UTF_8))))) {
            assertThat(created.code()).isEqualTo(201);
        }
    }

    @Test
    void policyAboutConnections_deniesThem() throws Exception {
        String group = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
        post(group + "ies", """
                {"metadata":{"name":"shells"},"spec":{
                 "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CONNECT"],
                  "resources":["pods/exec","pods/proxy"]}]},
                 "validations":[{"expression":"object.kind == 'PodExecOptions' && object.command[0] != 'sh'"}]}}""");
        post(group + "ybindings", """
                {"metadata":{"name":"shells"},"spec":{"policyName":"shells","validationActions":["Deny"]}}""");

        assertThat(exec("", "echo", "a").get(0)).isEqualTo("a\n");
        assertThat(proxied("POST", "pods/web/exec?container=app&stdout=1&command=sh"))
                .startsWith("422 ")
                .contains("ValidatingAdmissionPolicy 'shells' with binding 'shells' denied request");
        assertThat(proxied("POST", "pods/web:80/proxy/x")).startsWith("422 ");
        assertThat(log("?container=app")).startsWith("app started");
    }
}
