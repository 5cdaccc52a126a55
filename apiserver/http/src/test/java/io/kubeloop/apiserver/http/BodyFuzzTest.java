/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Made-up bodies of every format: none is answered with 500, and the heap stays flat. The system properties {@code
 * kubeloop.fuzz.rounds} and {@code kubeloop.fuzz.seed} select how many, and which.
 */
@Isolated("it measures the heap")
@Tag("stress")
class BodyFuzzTest {

    private static final int ROUNDS = Integer.getInteger("kubeloop.fuzz.rounds", 1_500);
    private static final long MOST_GROWTH = 4 << 20;
    private static final long SEED = Long.getLong("kubeloop.fuzz.seed", 1);
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private static final ApiServer SERVER = ApiServer.builder().build(BuiltInKinds.create());
    private static final HttpApiServer HTTP = HttpApiServer.start(SERVER, HttpApiServer.Config.DEFAULT);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** What the mutations insert: the parts in which parsers have failed. */
    private static final List<String> PARTS = List.of(
            "\"\\x",
            "\\u",
            "\\ud800",
            "&a",
            "*a",
            "<<: *a",
            "!!binary x",
            "{",
            "[",
            "]",
            "}",
            "- ",
            ": ",
            "? ",
            "|\n",
            ">-\n",
            "null",
            "1e999",
            "-0",
            "0x",
            "\u0000",
            "\u007f",
            "\ufffe",
            "'",
            "%YAML",
            "---",
            "...",
            "#",
            "\t",
            "$patch",
            "~1",
            "/-",
            "op",
            "\"\"",
            "\r\n",
            "\u2028",
            "@",
            "`");

    private static final List<String> BODIES = List.of(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"labels\":{\"a\":\"b\"}},"
                    + "\"data\":{\"k\":\"v\"}}",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &x {a: \"b\\n\"}\nother: [*x, *x]\n",
            "[{\"op\":\"add\",\"path\":\"/metadata/labels/x\",\"value\":\"y\"},{\"op\":\"copy\",\"from\":\"/data\","
                    + "\"path\":\"/data/x\"},"
                    + "{\"op\":\"move\",\"from\":\"/data/x\",\"path\":\"/data/y\"},{\"op\":\"test\","
                    + "\"path\":\"/kind\",\"value\":\"ConfigMap\"}]",
            "{\"$patch\":\"merge\",\"metadata\":{\"$setElementOrder/finalizers\":[\"a\"],\"finalizers\":[\"a\"]},"
                    + "\"data\":{\"k\":null}}",
            "k8s\0\n\u000f\n\u0002v1\u0012\u0009ConfigMap\u0012\u0010\n\u000e\n\u0001a\u0012\0\u001a\0\"\0*\u0000z\0"
                    + "\u0012\u0006\n\u0001k\u0012\u0001v");

    @AfterAll
    static void close() {
        HTTP.close();
        SERVER.close();
    }

    private static HttpResponse<String> send(String method, String path, String type, byte[] body) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(HTTP.uri() + path))
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "POST, application/json",
        "POST, application/yaml",
        "POST, application/vnd.kubernetes.protobuf",
        "PATCH, application/json-patch+json",
        "PATCH, application/merge-patch+json",
        "PATCH, application/strategic-merge-patch+json",
        "PATCH, application/apply-patch+yaml",
    })
    void bodies_thatAreMadeUp_areNeverAnInternalError(String method, String type) throws Exception {
        send("POST", MAPS, "application/json", BODIES.get(0).getBytes(StandardCharsets.UTF_8));
        String path = method.equals("POST") ? MAPS : MAPS + "/a?fieldManager=f&force=true";
        long half = 0;
        for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
            if (seed == SEED + ROUNDS / 2) {
                half = liveHeap();
            }
            Random random = new Random(seed);
            byte[] body = mutated(random, BODIES.get(random.nextInt(BODIES.size())));
            ServerResponse response = SERVER.handle(ApiRequest.of(
                    method,
                    path.contains("?") ? path.substring(0, path.indexOf('?')) : path,
                    method.equals("POST")
                            ? java.util.Map.of("dryRun", "All")
                            : java.util.Map.of("dryRun", "All", "fieldManager", "f", "force", "true"),
                    new ApiRequest.Body(type, body)));
            ServerResponse.Document answer = (ServerResponse.Document) response;
            String text = new String(answer.bytes(), StandardCharsets.UTF_8);
            // kube-apiserver, too, reports an applied field without a type as an internal error.
            if (!text.contains("failed to create typed patch object")) {
                assertThat(answer.code())
                        .as("seed %d: %s", seed, new String(body, StandardCharsets.UTF_8))
                        .isLessThan(500);
            }
        }
        // Nothing is stored, so the second half may leave no more behind than the first.
        assertThat(liveHeap() - half).isLessThan(MOST_GROWTH);
    }

    /** Returns the bytes of the reachable objects. */
    @SuppressWarnings("SystemGC") // garbage does not count
    private static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static byte[] mutated(Random random, String source) {
        byte[] bytes = source.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            int at = random.nextInt(bytes.length + 1);
            int dropped = random.nextInt(3) == 0 ? Math.min(random.nextInt(12), bytes.length - at) : 0;
            out.write(bytes, 0, at);
            switch (random.nextInt(5)) {
                case 0 -> out.write(random.nextInt(256));
                case 1 -> {} // the rest is cut
                default ->
                    out.writeBytes(PARTS.get(random.nextInt(PARTS.size())).getBytes(StandardCharsets.UTF_8));
            }
            if (random.nextInt(6) > 0) {
                out.write(bytes, at + dropped, bytes.length - at - dropped);
            }
            bytes = out.toByteArray();
        }
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({
        "'\"\\x', 400",
        "'a: \"\\x', 400",
        "'\"\\u12', 400",
        "'\"\\', 400",
        "'{\"a\":\"\\x', 400",
        "'? ', 400",
        "'&a', 400",
        "'*a', 400",
        "'!<', 400",
        "'%', 400"
    })
    void unfinishedYaml_isABadRequest(String body, int code) throws Exception {
        assertThat(send("POST", MAPS, "application/yaml", body.getBytes(StandardCharsets.UTF_8))
                        .statusCode())
                .isEqualTo(code);
    }

    @Test
    void deepDefinitions_areRefusedOrCreated_notAnInternalError() throws Exception {
        for (int depth : new int[] {60, 124, 126, 200, 1_000, 20_000}) {
            String schema = "{\"type\":\"object\",\"properties\":{\"p\":".repeat(depth) + "{\"type\":\"object\"}"
                    + "}}".repeat(depth);
            String body = "{\"metadata\":{\"name\":\"figs.example.com\"},\"spec\":{\"group\":\"example.com\","
                    + "\"scope\":\"Namespaced\","
                    + "\"names\":{\"plural\":\"figs\",\"kind\":\"Fig\"},\"versions\":[{\"name\":\"v1\","
                    + "\"served\":true,\"storage\":true,"
                    + "\"schema\":{\"openAPIV3Schema\":" + schema + "}}]}}";
            HttpResponse<String> response = send(
                    "POST", DEFINITIONS + "?dryRun=All", "application/json", body.getBytes(StandardCharsets.UTF_8));
            assertThat(response.statusCode())
                    .as("depth %d: %s", depth, response.body().substring(0, 150))
                    .isLessThan(500);
        }
    }

    @Test
    void deepProtobuf_isABadRequest() throws Exception {
        byte[] inner = new byte[0];
        for (int i = 0; i < 20_000; i++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(0x2a); // JSONSchemaProps.items and others are messages in themselves
            for (int length = inner.length; ; length >>>= 7) {
                out.write(length > 0x7f ? (length & 0x7f) | 0x80 : length);
                if (length <= 0x7f) {
                    break;
                }
            }
            out.writeBytes(inner);
            inner = out.toByteArray();
            if (inner.length > 60_000) {
                break;
            }
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("k8s\0".getBytes(StandardCharsets.ISO_8859_1));
        body.writeBytes(inner);
        assertThat(send("POST", DEFINITIONS, "application/vnd.kubernetes.protobuf", body.toByteArray())
                        .statusCode())
                .isBetween(400, 499);
    }

    @Test
    void largeScalar_withManyAliases_isRefused() throws Exception {
        String body = "a: &a " + "x".repeat(400_000) + "\nb: [" + "*a,".repeat(20_000) + "*a]\n";
        HttpResponse<String> response = send("POST", MAPS, "application/yaml", body.getBytes(StandardCharsets.UTF_8));
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("after aliases are expanded");
    }
}
