/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import static io.kubeloop.transport.memory.Requests.event;
import static io.kubeloop.transport.memory.Requests.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every {@link Transport}, independent of its connection. A subclass connects a transport to a new
 * server.
 *
 * <p>The server is the embedded one, because its responses are known; the tests cover the transfer of requests and
 * responses.
 */
@Timeout(60)
public abstract class TransportContractTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final long NO_HANG_SECONDS = 20;

    private EmbeddedApiServer server;
    private Transport transport;
    private Requests requests;
    private final ObjectCodec codec = JsonCodec.standard();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** For subclasses. */
    protected TransportContractTest() {}

    /** Returns a new transport to this server. */
    protected abstract Transport connect(EmbeddedApiServer server) throws Exception;

    /** Releases what {@link #connect} has started in addition to the transport. */
    protected void disconnect() throws Exception {}

    @BeforeEach
    void start() throws Exception {
        server = EmbeddedApiServer.builder()
                .bookmarkInterval(Duration.ofMillis(100))
                .build();
        transport = connect(server);
        requests = new Requests(transport);
    }

    @AfterEach
    void stop() throws Exception {
        transport.close();
        disconnect();
        server.close();
        threads.shutdownNow();
        assertThat(threads.awaitTermination(NO_HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void execute_create_answersWithTheObjectAsStored() {
        Reply created = requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'k':'v'}}");

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.body().string("metadata", "uid")).isNotEmpty();
        assertThat(requests.get(CONFIG_MAPS + "/a").body()).isEqualTo(created.body());
    }

    @Test
    void execute_anyContentAndLargeNumbers_surviveExactly() {
        requests.post(
                        "/apis/apps/v1/namespaces/default/controllerrevisions",
                        "{'metadata':{'name':'a'},'revision':9007199254740993,'data':{'tiny':0.25,'list':[null,{}]}}")
                .ok();

        JsonObject read = requests.get("/apis/apps/v1/namespaces/default/controllerrevisions/a")
                .body();

        assertThat(read.get("revision")).hasToString("9007199254740993");
        assertThat(read.object("data")).hasToString("{\"tiny\":0.25,\"list\":[null,{}]}");
    }

    @Test
    void execute_textOfEveryPlane_survives() {
        String text = "Grüße, 世界 \uD83D\uDE80 \\u0001 <b>&amp;</b>";
        requests.post(CONFIG_MAPS, "{'metadata':{'name':'a','annotations':{'t':'" + text + "'}}}")
                .ok();

        String read = requests.get(CONFIG_MAPS + "/a").body().string("metadata", "annotations", "t");

        assertThat(read).isEqualTo(text.replace("\\u0001", "\u0001"));
    }

    @Test
    void execute_objectOfAMegabyte_survives() {
        String value = "0123456789abcdef".repeat(1 << 16);
        requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'k':'" + value + "'}}")
                .ok();

        assertThat(requests.get(CONFIG_MAPS + "/a").body().string("data", "k")).isEqualTo(value);
        try (ApiStream watch = requests.watch(CONFIG_MAPS)) {
            assertThat(frame(watch).string("object", "data", "k")).isEqualTo(value);
        }
    }

    @Test
    void execute_refusal_isAnAnswerAndNoException() {
        try (ApiResponse response = transport.execute(ApiRequest.get(PODS + "/none", Map.of()))) {
            assertThat(response.code()).isEqualTo(404);
            assertThat(response.isSuccessful()).isFalse();
            Status status = codec.decodeStatus(404, readAll(response));
            assertThat(status.reason()).isEqualTo(StatusReason.NOT_FOUND);
            assertThat(status.message()).isEqualTo("pods \"none\" not found");
            assertThat(Objects.requireNonNull(status.details()).name()).isEqualTo("none");
        }
    }

    @Test
    void execute_headers_areFoundWhateverTheirCase() {
        try (ApiResponse response = transport.execute(ApiRequest.get("/api/v1/namespaces", Map.of()))) {
            assertThat(response.header("Content-Type")).startsWith("application/json");
            assertThat(response.headers().keySet()).allMatch(name -> name.equals(name.toLowerCase(Locale.ROOT)));
        }
    }

    @Test
    void execute_retryLater_saysWhenInTheHeader() {
        ApiRequest request = ApiRequest.get(PODS, Map.of("resourceVersion", "999999"));
        try (ApiResponse response = transport.execute(request)) {
            assertThat(response.code()).isEqualTo(504);
            assertThat(response.header("retry-after")).isEqualTo("1");
        }
    }

    @Test
    void execute_queryWithSpecialCharacters_arrivesAsItIs() {
        requests.post(CONFIG_MAPS, "{'metadata':{'name':'a','labels':{'example.com/tier':'web'}}}")
                .ok();
        requests.post(CONFIG_MAPS, "{'metadata':{'name':'b','labels':{'example.com/tier':'db'}}}")
                .ok();

        ApiRequest request = ApiRequest.get(
                CONFIG_MAPS,
                Map.of("labelSelector", "example.com/tier in (web, x),!a/b", "fieldSelector", "metadata.name!=b"));
        try (ApiResponse response = transport.execute(request)) {
            JsonObject list = JsonObject.parse(readAll(response));
            assertThat(list.array("items").objects().map(item -> item.string("metadata", "name")))
                    .containsExactly("a");
        }
    }

    @Test
    void execute_pathWithSpecialCharacters_arrivesAsItIs() {
        for (String name : List.of("a?dryRun=All", "a#b", "a b", "a+b", "a%2Fb", "a\\b", "caf\u00e9", "a;b", "\"{}")) {
            try (ApiResponse response = transport.execute(ApiRequest.get(CONFIG_MAPS + "/" + name, Map.of()))) {
                Status status = codec.decodeStatus(response.code(), readAll(response));
                assertThat(Objects.requireNonNull(status.details()).name()).isEqualTo(name);
                assertThat(status.code()).isEqualTo(404);
            }
        }
    }

    @Test
    void execute_everyVerb_reachesTheServer() {
        JsonObject created = requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'k':'1'}}")
                .ok()
                .body();

        JsonObject changed = created.with(List.of("data", "k"), "2");
        assertThat(requests.put(CONFIG_MAPS + "/a", changed).ok().body().string("data", "k"))
                .isEqualTo("2");
        assertThat(requests.put(CONFIG_MAPS + "/a", created).code()).isEqualTo(409);
        for (Patch.Type type : List.of(Patch.Type.MERGE, Patch.Type.STRATEGIC_MERGE)) {
            String value = type.name().toLowerCase(Locale.ROOT);
            Reply patched =
                    requests.send("PATCH", CONFIG_MAPS + "/a", type.contentType(), "{'data':{'k':'" + value + "'}}");
            assertThat(patched.ok().body().string("data", "k")).isEqualTo(value);
        }
        assertThat(requests.send(
                                "PATCH",
                                CONFIG_MAPS + "/a",
                                Patch.Type.JSON.contentType(),
                                "[{'op':'replace','path':'/data/k','value':'3'}]")
                        .ok()
                        .body()
                        .string("data", "k"))
                .isEqualTo("3");
        assertThat(requests.delete(CONFIG_MAPS + "/a", "{'preconditions':{'uid':'other'}}")
                        .code())
                .isEqualTo(409);
        assertThat(requests.delete(CONFIG_MAPS + "/a").ok().body().string("status"))
                .isEqualTo("Success");
        assertThat(requests.get(CONFIG_MAPS + "/a").code()).isEqualTo(404);
    }

    @Test
    void execute_pages_followEachOther() {
        for (int i = 0; i < 5; i++) {
            requests.post(CONFIG_MAPS, "{'metadata':{'name':'c" + i + "'}}").ok();
        }
        List<String> names = new ArrayList<>();
        String token = "";
        int pages = 0;
        do {
            JsonObject page = requests.get(CONFIG_MAPS + "?limit=2&continue=" + token)
                    .ok()
                    .body();
            page.array("items").objects().forEach(item -> names.add(item.string("metadata", "name")));
            token = page.string("metadata", "continue");
            pages++;
        } while (!token.isEmpty());

        assertThat(names).containsExactly("c0", "c1", "c2", "c3", "c4");
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void execute_answerClosedUnread_doesNotDisturbTheNext() {
        requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'k':'" + "x".repeat(1 << 19) + "'}}")
                .ok();
        for (int i = 0; i < 10; i++) {
            ApiResponse response = transport.execute(ApiRequest.get(CONFIG_MAPS, Map.of()));
            response.close();
            response.close();
        }
        assertThat(requests.get(CONFIG_MAPS + "/a").code()).isEqualTo(200);
    }

    @Test
    void stream_frames_comeOneByOneInOrder() {
        String from = requests.get(CONFIG_MAPS).version();
        try (ApiStream watch = requests.watch(CONFIG_MAPS + "?resourceVersion=" + from)) {
            assertThat(watch.code()).isEqualTo(200);
            assertThat(watch.headers().get("content-type").get(0)).startsWith("application/json");
            for (int i = 0; i < 200; i++) {
                requests.post(CONFIG_MAPS, "{'metadata':{'name':'c" + i + "'}}").ok();
            }
            for (int i = 0; i < 200; i++) {
                assertThat(event(watch)).startsWith("ADDED c" + i + "@");
            }
        }
    }

    @Test
    void stream_refusal_isTheOnlyFrame() {
        try (ApiStream watch = requests.watch(PODS + "?sendInitialEvents=true")) {
            assertThat(watch.code()).isEqualTo(422);
            byte[] body = watch.next();
            assertThat(codec.decodeStatus(422, Objects.requireNonNull(body)).reason())
                    .isEqualTo(StatusReason.INVALID);
            assertThat(watch.next()).isNull();
        }
    }

    @Test
    void stream_expiredVersion_isAnErrorFrameAndTheEnd() {
        String from = requests.get(PODS).version();
        requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'}}").ok();
        server.compact();
        try (ApiStream watch = requests.watch(PODS + "?resourceVersion=" + from)) {
            JsonObject frame = frame(watch);
            assertThat(frame.string("type")).isEqualTo("ERROR");
            assertThat(frame.number("object", "code")).isEqualTo(410);
            assertThat(frame.string("object", "reason")).isEqualTo(StatusReason.EXPIRED);
            assertThat(watch.next()).isNull();
        }
    }

    @Test
    void stream_serverEndsInOrder_returnsNull() {
        try (ApiStream watch = requests.watch(PODS + "?timeoutSeconds=1")) {
            assertThat(watch.next()).isNull();
            assertThat(watch.next()).isNull();
        }
    }

    @Test
    void stream_closedByAnotherThread_endsABlockedNextAtOnce() throws Exception {
        ApiStream watch = requests.watch(PODS);
        Future<byte[]> next = threads.submit(watch::next);

        CompletableFuture.runAsync(watch::close, threads).get(NO_HANG_SECONDS, TimeUnit.SECONDS);

        assertThat(next.get(NO_HANG_SECONDS, TimeUnit.SECONDS)).isNull();
        watch.close();
        assertThat(watch.next()).isNull();
    }

    @Test
    void stream_deadlinePasses_isATimeout() {
        // A deadline that passes during the connect may be reported as a failure to connect; this request opens the
        // connection first.
        requests.get(PODS).ok();
        ApiRequest request =
                new ApiRequest("GET", PODS, Map.of("watch", "true"), ApiRequest.JSON, null, Duration.ofSeconds(2));
        try (ApiStream watch = transport.stream(request)) {
            assertThatExceptionOfType(TransportException.class)
                    .isThrownBy(watch::next)
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TIMEOUT));
        }
    }

    @Test
    void deadline_thatNoClockHolds_isKeptLikeAnyOther() {
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        ApiRequest list = new ApiRequest("GET", PODS, Map.of(), ApiRequest.JSON, null, forever);
        ApiRequest watch = new ApiRequest("GET", PODS, Map.of("watch", "true"), ApiRequest.JSON, null, forever);

        try (ApiResponse response = transport.execute(list);
                ApiStream stream = transport.stream(watch)) {
            assertThat(response.code()).isEqualTo(200);
            assertThat(stream.code()).isEqualTo(200);
        }
    }

    @Test
    void deadline_thatHasPassed_isATimeout() {
        for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            ApiRequest late = new ApiRequest("GET", PODS, Map.of(), ApiRequest.JSON, null, none);
            assertThatExceptionOfType(TransportException.class)
                    .isThrownBy(() -> transport.execute(late))
                    .matches(e -> e.kind() == TransportException.Kind.TIMEOUT);
            assertThatExceptionOfType(TransportException.class)
                    .isThrownBy(() -> transport.stream(late))
                    .matches(e -> e.kind() == TransportException.Kind.TIMEOUT);
        }
    }

    @Test
    void stream_bookmarks_comeWhileNothingHappens() {
        try (ApiStream watch = requests.watch(PODS + "?allowWatchBookmarks=true")) {
            requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'}}").ok();
            JsonObject frame = frame(watch);
            assertThat(frame.string("type")).isEqualTo("BOOKMARK");
            assertThat(frame.string("object", "kind")).isEqualTo("Pod");
        }
    }

    @Test
    void stream_manyAtOnceAndAWrite_allAreServed() throws Exception {
        List<ApiStream> watches = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                watches.add(requests.watch(CONFIG_MAPS));
            }
            List<Future<String>> seen = new ArrayList<>();
            watches.forEach(watch -> seen.add(threads.submit(() -> event(watch))));

            requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'}}").ok();

            for (Future<String> event : seen) {
                assertThat(event.get(NO_HANG_SECONDS, TimeUnit.SECONDS)).startsWith("ADDED a@");
            }
        } finally {
            watches.forEach(ApiStream::close);
        }
    }

    @Test
    void close_endsOpenStreamsAndRefusesRequests() throws Exception {
        ApiStream watch = requests.watch(PODS);
        Future<byte[]> next = threads.submit(watch::next);

        transport.close();
        transport.close();

        assertThat(next.get(NO_HANG_SECONDS, TimeUnit.SECONDS)).isNull();
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> transport.execute(ApiRequest.get(PODS, Map.of())));
    }

    @Test
    void client_typedRoundTrip() {
        ResourceClient<Pod> pods = KubeClient.of(transport, codec).resource(ResourceTypes.PODS);
        requests.post(
                        PODS,
                        "{'metadata':{'name':'a','labels':{'app':'web'}},'spec':{'containers':[{'name':'c',"
                                + "'image':'i'}]}}")
                .ok();
        ObjectName name = new ObjectName("default", "a");

        Pod pod = pods.get(name);
        assertThat(pod.metadata().labels()).containsEntry("app", "web");
        ListOptions since = ListOptionsBuilder.builder()
                .resourceVersion(pod.metadata().resourceVersion())
                .build();
        try (WatchStream<Pod> watch = pods.watch("default", since)) {
            pods.patch(name, Patch.merge("{\"metadata\":{\"labels\":{\"app\":\"db\"}}}"));
            WatchEvent<Pod> event = watch.next();
            assertThat(event).isInstanceOf(WatchEvent.Modified.class);
            ObjectMeta metadata = ((WatchEvent.Modified<Pod>) event).object().metadata();
            assertThat(metadata.labels()).containsEntry("app", "db");
        }
        assertThat(pods.list("", ListOptions.NONE).items()).hasSize(1);
        pods.delete(name, DeleteOptions.DEFAULT);
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pods.get(name))
                .matches(ApiException::isNotFound);
    }

    private static byte[] readAll(ApiResponse response) {
        try {
            return response.body().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
