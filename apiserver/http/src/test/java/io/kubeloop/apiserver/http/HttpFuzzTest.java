/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.http.HttpApiServer.Config;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Made-up requests and frames: none ends a thread of the server, fails in it, or leaves a connection or a watch behind.
 * The system properties {@code kubeloop.fuzz.rounds} and {@code kubeloop.fuzz.seed} select how many, and which.
 */
@Isolated("looks at all threads")
@Tag("stress")
class HttpFuzzTest {

    private static final int ROUNDS = Integer.getInteger("kubeloop.fuzz.rounds", 500);
    private static final long SEED = Long.getLong("kubeloop.fuzz.seed", 1);
    private static final String THREADS = "kubeloop-http-connection";

    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW", "get", "");
    private static final List<String> PATHS = List.of(
            "/api/v1/namespaces/default/configmaps",
            "/api/v1/namespaces/default/configmaps/a",
            "/api/v1/namespaces/default/pods",
            "/api/v1/namespaces/default/pods/p/status",
            "/api/v1/namespaces/default/pods/p/eviction",
            "/api/v1/namespaces/default/pods/p/binding",
            "/api/v1/namespaces/default/pods/p/log",
            "/api/v1/namespaces/default/services/s",
            "/apis/apps/v1/namespaces/default/deployments/d/scale",
            "/apis/apps/v1/deployments",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            "/api/v1/watch/namespaces",
            "/api/v1",
            "/apis",
            "/openapi/v3/api/v1",
            "/version",
            "/livez",
            "/",
            "/none",
            "//",
            "/%2e%2e/%00/%ff",
            "*");
    private static final List<String> PARAMETERS = List.of(
            "watch=1",
            "timeoutSeconds=1",
            "limit=1",
            "limit=-1",
            "continue=e30",
            "continue=bm9uc2Vuc2U",
            "resourceVersion=0",
            "resourceVersion=1",
            "resourceVersion=99999999999999999999",
            "resourceVersionMatch=Exact",
            "sendInitialEvents=true",
            "allowWatchBookmarks=true",
            "labelSelector=a%3Db%2C%21c",
            "labelSelector=a+in+%28b",
            "fieldSelector=metadata.name%3Da",
            "fieldSelector=x%3D%5C",
            "dryRun=All",
            "dryRun=",
            "fieldManager=%00",
            "fieldValidation=Strict",
            "force=1",
            "propagationPolicy=Orphan",
            "gracePeriodSeconds=x",
            "pretty=1",
            "timeout=1h",
            "includeObject=None",
            "%zz",
            "&&=;");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/yaml",
            "application/vnd.kubernetes.protobuf",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/json-patch+json",
            "application/apply-patch+yaml",
            "application/cbor",
            "text/plain;q=x,,;",
            "application/json;as=Table;v=v1;g=meta.k8s.io",
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
            "*/*;q=0");
    private static final List<String> BODIES = List.of(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"labels\":{\"a\":\"b\"}},"
                    + "\"data\":{\"k\":\"v\"}}",
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},"
                    + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}",
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"d\"},"
                    + "\"spec\":{\"replicas\":1,\"selector\":{\"matchLabels\":{\"a\":\"b\"}},"
                    + "\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},"
                    + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}",
            "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
                    + "\"metadata\":{\"name\":\"as.b.c\"},\"spec\":{\"group\":\"b.c\","
                    + "\"names\":{\"plural\":\"as\",\"kind\":\"A\"},\"scope\":\"Cluster\","
                    + "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,"
                    + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\"}}}]}}",
            "{\"spec\":{\"nonResourceAttributes\":{\"path\":\"/\",\"verb\":\"get\"}}}",
            "[{\"op\":\"add\",\"path\":\"/metadata/labels/x\",\"value\":\"y\"},{\"op\":\"copy\",\"from\":\"/data\","
                    + "\"path\":\"/data/x\"}]",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &x {a: b}\nother: *x\n<<: *x\n",
            "k8s\0\n\13\n\2v1\22\5Pod\22\5\n\3\n\1p",
            "{\"$patch\":\"delete\",\"metadata\":{\"$setElementOrder/finalizers\":[\"a\"],\"finalizers\":null}}",
            "null",
            "");

    private final ApiServer server = ApiServer.builder().build(BuiltInKinds.create());
    private final HttpApiServer http = HttpApiServer.start(server, Config.DEFAULT.withIdleWatch(Duration.ofMillis(20)));
    private final Queue<String> uncaught = new ConcurrentLinkedQueue<>();

    @Test
    void requests_thatAreMadeUp_endNoThreadAndLeaveNothing() throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(thread.getName() + ": " + e));
        try {
            for (long seed = SEED; seed < SEED + ROUNDS; seed++) {
                String answer = exchange(request(new Random(seed)));
                assertThat(uncaught).as("seed %d", seed).isEmpty();
                assertThat(answer).as("seed %d", seed).doesNotContain(" failed: java.");
            }
            try (RawClient client = new RawClient(http.port())) {
                assertThat(client.get("/version")).startsWith("HTTP/1.1 200 ");
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> connections() == 0);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
            http.close();
            server.close();
        }
    }

    private static long connections() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(THREADS))
                .count();
    }

    /** Sends bytes, ends the request side, and reads until the server closes; fails if the server does not. */
    private String exchange(byte[] bytes) throws Exception {
        try (RawClient client = new RawClient(http.port())) {
            client.send(bytes);
            return client.drain();
        }
    }

    private static byte[] request(Random random) {
        byte[] body = oneOf(random, BODIES).getBytes(StandardCharsets.ISO_8859_1);
        if (random.nextInt(3) == 0) {
            body = mutated(random, body);
        }
        boolean isWebSocket = random.nextInt(6) == 0;
        StringBuilder head = new StringBuilder(isWebSocket ? "GET" : oneOf(random, METHODS)).append(' ');
        head.append(isWebSocket ? PATHS.get(0) : oneOf(random, PATHS));
        for (int i = random.nextInt(4); i > 0; i--) {
            head.append(head.indexOf("?") < 0 ? '?' : '&').append(oneOf(random, PARAMETERS));
        }
        if (isWebSocket) {
            head.append(head.indexOf("?") < 0 ? '?' : '&').append("watch=1");
        }
        head.append(random.nextInt(20) == 0 ? " HTTP/1.0" : " HTTP/1.1").append("\r\nHost: localhost\r\n");
        head.append("Content-Type: ").append(oneOf(random, TYPES)).append("\r\n");
        if (random.nextInt(2) == 0) {
            head.append("Accept: ").append(oneOf(random, TYPES)).append("\r\n");
        }
        byte[] sent;
        if (isWebSocket) {
            head.append("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n")
                    .append("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            sent = frames(random);
        } else if (random.nextInt(4) == 0) {
            head.append("Transfer-Encoding: chunked\r\n\r\n");
            sent = chunks(random, body);
        } else {
            head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
            sent = body;
        }
        byte[] whole = joined(head.toString().getBytes(StandardCharsets.ISO_8859_1), sent);
        return random.nextInt(3) == 0 ? mutated(random, whole) : whole;
    }

    private static byte[] chunks(Random random, byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < body.length; ) {
            int n = Math.min(body.length - at, 1 + random.nextInt(50));
            out.writeBytes((Integer.toHexString(n) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.write(body, at, n);
            out.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
            at += n;
        }
        out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        return out.toByteArray();
    }

    /** Frames of every kind, some of them too long, without mask or with reserved bits. */
    private static byte[] frames(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = random.nextInt(5); i > 0; i--) {
            int length = random.nextInt(140);
            out.write(random.nextInt(8) == 0 ? random.nextInt(256) : 0x80 | random.nextInt(16));
            int mask = random.nextInt(8) == 0 ? 0 : 0x80;
            if (length < 126) {
                out.write(mask | length);
            } else {
                out.write(mask | 126);
                out.write(0);
                out.write(length);
            }
            byte[] payload = new byte[length + (mask == 0 ? 0 : 4)];
            random.nextBytes(payload);
            out.writeBytes(payload);
        }
        return out.toByteArray();
    }

    /** Changes, removes, repeats or cuts some bytes. */
    private static byte[] mutated(Random random, byte[] source) {
        byte[] bytes = source;
        for (int i = 1 + random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            int at = random.nextInt(bytes.length);
            int length = Math.min(bytes.length - at, 1 + random.nextInt(16));
            byte[] until = slice(bytes, 0, at);
            byte[] rest = slice(bytes, at + length, bytes.length);
            byte[] middle = slice(bytes, at, at + length);
            bytes = switch (random.nextInt(5)) {
                case 0 -> joined(until, rest);
                case 1 -> joined(joined(until, middle), joined(middle, rest));
                case 2 -> until;
                case 3 -> {
                    random.nextBytes(middle);
                    yield joined(until, joined(middle, rest));
                }
                default -> {
                    bytes = bytes.clone();
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                    yield bytes;
                }
            };
        }
        return bytes;
    }

    private static byte[] slice(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static String oneOf(Random random, List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
