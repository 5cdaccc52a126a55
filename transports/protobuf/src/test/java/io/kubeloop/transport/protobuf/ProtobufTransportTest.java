/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.protobuf.WireWriter;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProtobufTransportTest {

    private static final String PODS = "/api/v1/namespaces/shop/pods";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    private static final byte[] POD =
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"generateName\":\"a-\"}}".getBytes(UTF_8);

    private static final String CREATED =
            "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"name\":\"pod\",\"uid\":\"u\"}}";
    private static final String REFUSAL =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                    + "\"message\":\"pods \\\"a\\\" not found\",\"reason\":\"NotFound\",\"details\":{\"name\":\"a\",\"kind\":\"pods\"},\"code\":404}";

    private final Server server = new Server();
    private final ProtobufTransport transport = new ProtobufTransport(server);

    /** A server that returns prepared responses and records requests. */
    private static final class Server implements Transport {

        private final List<ApiRequest> requests = new ArrayList<>();
        private final Deque<byte[]> frames = new ArrayDeque<>();
        private String contentType = ApiRequest.JSON;
        private byte[] body = "{}".getBytes(UTF_8);
        private int code = 200;
        private boolean breaks;
        private boolean closed;

        void answer(int status, String type, byte[] document) {
            code = status;
            contentType = type;
            body = document;
        }

        private Map<String, List<String>> headers() {
            return Map.of("content-type", List.of(contentType), "audit-id", List.of("x"));
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            requests.add(request);
            return new ApiResponse(code, headers(), breaks ? broken() : new ByteArrayInputStream(body));
        }

        private static InputStream broken() {
            return new InputStream() {
                @Override
                public int read() {
                    throw new TransportException(TransportException.Kind.BROKEN, "reset", null);
                }

                @Override
                public int read(byte[] bytes, int offset, int length) {
                    return read();
                }
            };
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            requests.add(request);
            return new ApiStream() {
                @Override
                public int code() {
                    return code;
                }

                @Override
                public Map<String, List<String>> headers() {
                    return Server.this.headers();
                }

                @Override
                public byte @Nullable [] next() {
                    return frames.poll();
                }

                @Override
                public void close() {
                    closed = true;
                }
            };
        }

        @Override
        public void close() {
            closed = true;
        }

        ApiRequest last() {
            return requests.get(requests.size() - 1);
        }
    }

    private static ApiRequest creation(ApiRequest.Body body) {
        return new ApiRequest("POST", PODS, Map.of(), METADATA, body, null);
    }

    private static ApiRequest watch(String path) {
        return ApiRequest.get(path, Map.of("watch", "true"));
    }

    private String read(ApiRequest request) throws IOException {
        try (ApiResponse response = transport.execute(request)) {
            assertThat(response.header("content-type")).isEqualTo(ApiRequest.JSON);
            assertThat(response.header("audit-id")).isEqualTo("x");
            return new String(response.body().readAllBytes(), UTF_8);
        }
    }

    private static byte[] protobuf(String json) {
        return ProtobufDocument.ofJson(JsonObject.parse(json), false);
    }

    private static byte[] event(String object) {
        return ProtobufDocument.eventOfJson(
                JsonObject.of("type", new JsonString("ADDED")).with("object", JsonObject.parse(object)), false);
    }

    /** The event of a pod with an unknown field. */
    private static byte[] strange() {
        WireWriter type = new WireWriter().string(1, "v1").string(2, "Pod");
        WireWriter pod = new WireWriter().string(999, "new");
        byte[] rest = new WireWriter().message(1, type).message(2, pod).toByteArray();
        byte[] document = Arrays.copyOf(new byte[] {'k', '8', 's', 0}, 4 + rest.length);
        System.arraycopy(rest, 0, document, 4, rest.length);
        WireWriter object = new WireWriter().bytes(1, document);
        return new WireWriter().string(1, "ADDED").message(2, object).toByteArray();
    }

    @Test
    void execute_creation_asksForProtobuf_andSendsItOnceTheServerHasSpokenIt() throws IOException {
        // RB-08
        ApiRequest.Body body = ApiRequest.Body.json(POD);
        server.answer(201, ApiRequest.PROTOBUF, protobuf(CREATED));

        String first = read(creation(body));

        assertThat(JsonObject.parse(first).object("metadata").string("name")).isEqualTo("pod");
        assertThat(server.last().accept())
                .isEqualTo(
                        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1," + METADATA);
        assertThat(server.last().body()).isSameAs(body);

        read(creation(body));
        ApiRequest.Body sent = server.last().body();
        read(creation(body));

        assertThat(sent.contentType()).isEqualTo(ApiRequest.PROTOBUF);
        assertThat(ProtobufDocument.toJson(sent.bytes(), false)).asString(UTF_8).isEqualTo(new String(POD, UTF_8));
        assertThat(server.last().body()).as("translated once").isSameAs(sent);
    }

    @Test
    void execute_aServerThatSpeaksJsonAlone_getsJson() throws IOException {
        ApiRequest.Body body = ApiRequest.Body.json(POD);
        server.answer(201, ApiRequest.JSON, CREATED.getBytes(UTF_8));

        read(creation(body));
        read(creation(body));

        assertThat(server.last().body()).isSameAs(body);
    }

    @Test
    void execute_aBodyWithSomethingThatIsNotInTheTable_isSentAsJson() throws IOException {
        server.answer(201, ApiRequest.PROTOBUF, protobuf(CREATED));
        read(creation(ApiRequest.Body.json(POD)));
        ApiRequest.Body strange = ApiRequest.Body.json(
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{},\"fromTheFuture\":1}".getBytes(UTF_8));
        ApiRequest.Body nonsense = ApiRequest.Body.json("{".getBytes(UTF_8));

        read(creation(strange));
        assertThat(server.last().body()).isSameAs(strange);
        read(creation(nonsense));
        assertThat(server.last().body()).as("the server says what is wrong").isSameAs(nonsense);
    }

    @Test
    void execute_refusalInProtobuf_isTheSameRefusal() throws IOException {
        server.answer(404, ApiRequest.PROTOBUF, protobuf(REFUSAL));

        assertThat(JsonObject.parse(read(creation(ApiRequest.Body.json(POD))))).isEqualTo(JsonObject.parse(REFUSAL));
    }

    @Test
    void execute_refusalWhoseBodyCannotBeRead_stillTellsTheCode() throws IOException {
        server.answer(409, ApiRequest.PROTOBUF, Arrays.copyOf(protobuf(REFUSAL), 30));
        assertThat(refusal()).isEqualTo(409);

        server.answer(503, ApiRequest.PROTOBUF, new byte[0]);
        assertThat(refusal()).isEqualTo(503);

        server.answer(409, ApiRequest.PROTOBUF, protobuf(REFUSAL));
        server.breaks = true;
        assertThat(refusal()).isEqualTo(409);
    }

    private int refusal() throws IOException {
        try (ApiResponse response = transport.execute(creation(ApiRequest.Body.json(POD)))) {
            assertThat(new String(response.body().readAllBytes(), UTF_8))
                    .startsWith("(the error's body could not be read: ");
            return response.code();
        }
    }

    @Test
    void stream_refusalWhoseBodyCannotBeRead_stillTellsTheCode() {
        server.answer(503, ApiRequest.PROTOBUF, new byte[0]);
        server.frames.add(new byte[] {'k', '8'});

        try (ApiStream stream = transport.stream(watch(PODS))) {
            assertThat(stream.code()).isEqualTo(503);
            assertThat(stream.next()).asString(UTF_8).startsWith("(the error's body could not be read: ");
        }
    }

    @Test
    void execute_everythingElse_passesAsItIs() {
        ApiRequest.Body body = ApiRequest.Body.json(POD);
        List<ApiRequest> requests = List.of(
                ApiRequest.get(PODS, Map.of()),
                ApiRequest.get("/version", Map.of()),
                ApiRequest.of("PATCH", PODS + "/a", Map.of(), new ApiRequest.Body("application/merge-patch+json", POD)),
                ApiRequest.of("DELETE", PODS + "/a", Map.of(), body),
                new ApiRequest("POST", "/apis/example.com/v1/namespaces/a/widgets", Map.of(), METADATA, body, null),
                new ApiRequest("POST", "/apis/apps/v2/namespaces/a/replicasets", Map.of(), METADATA, body, null));

        for (ApiRequest request : requests) {
            transport.execute(request).close();
            assertThat(server.last()).isSameAs(request);
        }
    }

    @Test
    void stream_events_comeAsJson() {
        server.answer(200, "application/vnd.kubernetes.protobuf;stream=watch", new byte[0]);
        server.frames.add(event(new String(POD, UTF_8)));

        try (ApiStream stream = transport.stream(watch("/api/v1/pods"))) {
            assertThat(server.last().accept())
                    .isEqualTo("application/vnd.kubernetes.protobuf;stream=watch,application/json");
            assertThat(stream.headers()).containsEntry("content-type", List.of(ApiRequest.JSON));
            JsonObject event = JsonObject.parse(stream.next());
            assertThat(event.string("type")).isEqualTo("ADDED");
            assertThat(event.object("object").string("kind")).isEqualTo("Pod");
            assertThat(stream.next()).isNull();
        }
        assertThat(server.closed).isTrue();
    }

    @Test
    void stream_refusedInProtobuf_isTheSameRefusal() {
        server.answer(404, ApiRequest.PROTOBUF, new byte[0]);
        server.frames.add(protobuf(REFUSAL));

        try (ApiStream stream = transport.stream(watch(PODS))) {
            assertThat(stream.code()).isEqualTo(404);
            assertThat(JsonObject.parse(stream.next())).isEqualTo(JsonObject.parse(REFUSAL));
        }
    }

    @Test
    void stream_aFieldThatIsNotInTheTable_endsIt_andTheNextIsInJson() {
        server.answer(200, "application/vnd.kubernetes.protobuf;stream=watch", new byte[0]);
        server.frames.add(strange());

        ApiStream stream = transport.stream(watch(PODS));

        assertThatThrownBy(stream::next)
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.BROKEN))
                .hasMessage("GET " + PODS + ": the watch must continue in JSON: Pod has a field with number 999");
        assertThat(server.closed).isTrue();
        transport.stream(watch("/api/v1/pods"));
        assertThat(server.last().accept()).isEqualTo(ApiRequest.JSON);
        transport.stream(watch("/api/v1/services"));
        assertThat(server.last().accept()).startsWith(ApiRequest.PROTOBUF);
    }

    @Test
    void close_closesTheTransportUnderneath() {
        transport.close();

        assertThat(server.closed).isTrue();
    }
}
