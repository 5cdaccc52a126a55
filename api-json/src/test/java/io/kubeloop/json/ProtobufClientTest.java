/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.FramedStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.protobuf.WireWriter;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A client with the codec for protocol buffers: what it requests, sends and accepts. */
class ProtobufClientTest {

    private static final String BOTH = ApiRequest.PROTOBUF + "," + ApiRequest.JSON;
    private static final String MAP =
            "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n\","
                    + "\"uid\":\"u\"}}";

    private final Server server = new Server();
    private final KubeClient client = KubeClient.of(server, ProtobufCodec.of(JsonCodec.standard()));
    private final ResourceClient<ConfigMap> maps = client.resource(ResourceTypes.CONFIG_MAPS);

    /** A server that returns prepared responses and records requests. */
    private static final class Server implements Transport {

        private final List<ApiRequest> requests = new ArrayList<>();
        private final Deque<byte[]> bodies = new ArrayDeque<>();
        private String contentType = ApiRequest.PROTOBUF;
        private int code = 200;

        private Map<String, List<String>> headers() {
            return Map.of("content-type", List.of(contentType));
        }

        @Override
        public ApiResponse execute(ApiRequest request) {
            requests.add(request);
            return new ApiResponse(code, headers(), new ByteArrayInputStream(bodies.remove()));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            requests.add(request);
            ByteArrayInputStream body = new ByteArrayInputStream(bodies.remove());
            return new FramedStream("watch", code, headers(), body, 1 << 20);
        }

        @Override
        public void close() {}

        ApiRequest last() {
            return requests.get(requests.size() - 1);
        }
    }

    private static byte[] protobuf(String json) {
        byte[] document = ProtobufDocument.ofJson(JsonObject.parse(json), false);
        assertThat(document).isNotNull();
        return document;
    }

    private static ConfigMap map() {
        return new ConfigMap(ObjectMeta.named("n", "a"), Map.of("k", "v"), null, UnknownFields.NONE);
    }

    @Test
    void body_isSentInProtobuf_onceTheServerHasRespondedSo() {
        server.contentType = ApiRequest.JSON;
        server.bodies.add(MAP.getBytes(UTF_8));
        maps.create(map());
        assertThat(server.last().accept()).isEqualTo(BOTH);
        assertThat(server.last().body().contentType()).isEqualTo(ApiRequest.JSON);

        server.contentType = ApiRequest.PROTOBUF;
        server.bodies.add(protobuf(MAP));
        assertThat(maps.get(new ObjectName("n", "a")).metadata().uid()).isEqualTo("u");
        server.bodies.add(protobuf(MAP));
        client.resource(ResourceTypes.CONFIG_MAPS).update(map());
        assertThat(server.last().body().contentType()).isEqualTo(ApiRequest.PROTOBUF);
        assertThat(ProtobufDocument.toJson(server.last().body().bytes(), true).object("data"))
                .hasToString("{\"k\":\"v\"}");
    }

    @Test
    void body_withAMemberThatIsNotInTheSchema_isSentInJson() {
        server.bodies.add(protobuf(MAP));
        maps.get(new ObjectName("n", "a"));
        server.bodies.add(protobuf(MAP));
        maps.update(new ConfigMap(
                ObjectMeta.named("n", "a"), Map.of(), null, UnknownFields.ofMembers("\"fromTheFuture\":{\"a\":1}")));
        assertThat(server.last().body().contentType()).isEqualTo(ApiRequest.JSON);
        assertThat(new String(server.last().body().bytes(), UTF_8)).contains("\"fromTheFuture\":{\"a\":1}");
    }

    @Test
    void customResources_areInJson_andTheirMetadataIsInBoth() {
        ResourceType<?> widgets =
                ResourceTypes.generic("example.com", "v1", "widgets", "Widget", ResourceType.Scope.NAMESPACED);
        server.contentType = ApiRequest.JSON;
        server.bodies.add("{\"kind\":\"WidgetList\",\"metadata\":{},\"items\":[]}".getBytes(UTF_8));
        client.resource(widgets).list("n", ListOptions.NONE);
        assertThat(server.last().accept()).isEqualTo(ApiRequest.JSON);

        server.contentType = ApiRequest.PROTOBUF;
        server.bodies.add(protobuf("{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\","
                + "\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"metadata\":{\"name\":\"w\"}}]}"));
        assertThat(client.resource(ResourceTypes.metadataOf(widgets))
                        .list("n", ListOptions.NONE)
                        .items())
                .singleElement()
                .satisfies(item -> assertThat(item.metadata().name()).isEqualTo("w"));
        assertThat(server.last().accept())
                .startsWith(ApiRequest.PROTOBUF + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
                        + "application/json;as=PartialObjectMetadataList");
    }

    @Test
    void list_andWatch_readMessages() {
        server.bodies.add(protobuf("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\","
                + "\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"c\"},"
                + "\"items\":[{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"\"}},"
                + "{\"metadata\":{\"name\":\"b\"}}]}"));
        var list = maps.list("n", ListOptions.NONE);
        assertThat(list.metadata().resourceVersion()).isEqualTo("7");
        assertThat(list.metadata().continueToken()).isEqualTo("c");
        assertThat(list.items()).extracting(item -> item.metadata().name()).containsExactly("a", "b");
        assertThat(list.items().get(0).data()).containsExactly(Map.entry("k", ""));

        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (String type : List.of("ADDED", "MODIFIED", "DELETED", "BOOKMARK")) {
            WireWriter object = new WireWriter().bytes(1, protobuf(MAP));
            byte[] frame = new WireWriter().string(1, type).message(2, object).toByteArray();
            frames.writeBytes(ByteBuffer.allocate(4).putInt(frame.length).array());
            frames.writeBytes(frame);
        }
        server.contentType = ApiRequest.PROTOBUF + ";stream=watch";
        server.bodies.add(frames.toByteArray());
        try (WatchStream<ConfigMap> watch = maps.watch("n", ListOptions.NONE)) {
            assertThat(watch.next()).isInstanceOf(WatchEvent.Added.class);
            assertThat(watch.next())
                    .isInstanceOf(WatchEvent.Modified.class)
                    .asString()
                    .contains("name=a, ");
            assertThat(watch.next()).isInstanceOf(WatchEvent.Deleted.class);
            assertThat(watch.next()).isInstanceOf(WatchEvent.Bookmark.class);
            assertThat(watch.next()).isNull();
        }
        assertThat(server.last().accept()).isEqualTo(BOTH);
    }

    @Test
    void fieldOfANewerRelease_isKept_andWrittenBack() {
        WireWriter metadata = new WireWriter().string(1, "a").string(3, "n").string(999, "deep");
        byte[] document = new WireWriter()
                .raw(ProtobufDocument.magic())
                .message(1, new WireWriter().string(1, "v1").string(2, "ConfigMap"))
                .message(2, new WireWriter().message(1, metadata).string(1000, "new"))
                .toByteArray();
        server.bodies.add(document);
        ConfigMap read = maps.get(new ObjectName("n", "a"));
        assertThat(JsonObject.of(read.unknownFields()).string("~protobuf")).isNotEmpty();

        server.bodies.add(protobuf(MAP));
        maps.update(read);
        assertThat(server.last().body().bytes()).isEqualTo(document);
    }

    @Test
    void refusal_inProtobuf_isTheStatus() {
        server.code = 404;
        server.bodies.add(protobuf("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                + "\"message\":\"configmaps \\\"a\\\" not found\",\"reason\":\"NotFound\",\"code\":404}"));
        assertThatThrownBy(() -> maps.get(new ObjectName("n", "a")))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.isNotFound()).isTrue())
                .hasMessageContaining("configmaps \"a\" not found");
    }

    @Test
    void response_inAMediaTypeThatWasNotRequested_isRejected() {
        server.contentType = "text/html";
        server.bodies.add("<html>".getBytes(UTF_8));
        assertThatThrownBy(() -> maps.get(new ObjectName("n", "a"))).isInstanceOf(TransportException.class);
    }
}
