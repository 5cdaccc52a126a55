/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.protobuf.WireWriter;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that uses protocol buffers, as client-go and kubectl do, or requests only metadata. */
class HttpApiProtobufTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String METADATA = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    private static final String POD = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"},"
            + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final HttpApiServer httpServer =
            HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT.withIdleWatch(Duration.ofMillis(1)));
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        httpServer.close();
        server.close();
    }

    private static byte[] protobuf(String json) {
        return ProtobufDocument.ofJson(JsonObject.parse(json), false);
    }

    private HttpRequest request(String method, String path, String accept, byte @Nullable [] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(httpServer.uri() + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .header("Accept", accept);
        if (body != null) {
            request.header("Content-Type", ApiRequest.PROTOBUF);
        }
        return request.build();
    }

    private HttpResponse<byte[]> send(String method, String path, String accept, byte @Nullable [] body)
            throws IOException, InterruptedException {
        return client.send(request(method, path, accept, body), BodyHandlers.ofByteArray());
    }

    private static String type(HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    private static JsonObject document(HttpResponse<byte[]> response) {
        assertThat(type(response)).isEqualTo(ApiRequest.PROTOBUF);
        return ProtobufDocument.toJson(response.body(), false);
    }

    @Test
    void createGetListAndDelete_inProtobufBothWays() throws Exception {
        HttpResponse<byte[]> created = send("POST", PODS, ApiRequest.PROTOBUF, protobuf(POD));
        assertThat(created.statusCode()).isEqualTo(201);
        JsonObject pod = document(created);
        assertThat(pod.string("metadata", "name")).isEqualTo("web");
        assertThat(pod.string("status", "phase")).isEqualTo("Pending");

        assertThat(document(send("GET", PODS + "/web", ApiRequest.PROTOBUF, null)))
                .isEqualTo(pod);
        JsonObject list = document(send("GET", PODS, ApiRequest.PROTOBUF + ", */*", null));
        assertThat(list.string("kind")).isEqualTo("PodList");
        assertThat(list.string("metadata", "resourceVersion")).isNotEmpty();
        assertThat(list.array("items").objects())
                .extracting(item -> item.string("metadata", "uid"))
                .containsExactly(pod.string("metadata", "uid"));

        byte[] options =
                protobuf("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"another\"}}");
        HttpResponse<byte[]> refused = send("DELETE", PODS + "/web", ApiRequest.PROTOBUF, options);
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(document(refused).string("reason")).isEqualTo("Conflict");
    }

    @Test
    void createOfAMalformedQuantity_inProtobuf_isRefusedAsInJson() throws Exception {
        String pod = POD.replace("\"image\":\"i\"", "\"image\":\"i\",\"resources\":{\"limits\":{\"memory\":\"much\"}}");

        HttpResponse<byte[]> refused = send("POST", PODS, ApiRequest.PROTOBUF, protobuf(pod));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(document(refused).string("message"))
                .startsWith("Pod in version \"v1\" cannot be handled as a Pod: quantities must match");
    }

    @Test
    void createOfAnotherKind_inProtobuf_isRefusedAsInJson() throws Exception {
        byte[] settings = protobuf("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"web\"}}");

        HttpResponse<byte[]> refused = send("POST", PODS, ApiRequest.PROTOBUF, settings);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(document(refused).string("message"))
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a Pod: converting (v1.ConfigMap) to "
                        + "(core.Pod): "
                        + "unknown conversion");
    }

    @Test
    void createOfAnInvalidObject_inProtobuf_quotesIt() throws Exception {
        HttpResponse<byte[]> refused =
                send("POST", PODS, ApiRequest.PROTOBUF, protobuf(POD.replace("\"web\"", "\"Web\"")));

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(document(refused).string("message"))
                .startsWith("Pod \"Web\" is invalid: metadata.name: Invalid value: \"Web\": ");
    }

    @Test
    void updateOfAStatus_inProtobuf_isTaken() throws Exception {
        JsonObject pod = document(send("POST", PODS, ApiRequest.PROTOBUF, protobuf(POD)));
        JsonObject running = pod.with("status", JsonObject.parse("{\"phase\":\"Running\",\"podIP\":\"10.0.0.7\"}"));

        HttpResponse<byte[]> updated =
                send("PUT", PODS + "/web/status", ApiRequest.PROTOBUF, protobuf(running.toString()));

        assertThat(document(updated).string("status", "podIP")).isEqualTo("10.0.0.7");
    }

    @Test
    void watch_inProtobuf_hasLengthsBeforeEvents_andNothingBetweenThem() throws Exception {
        HttpResponse<java.io.InputStream> response = client.send(
                request("GET", PODS + "?watch=true", ApiRequest.PROTOBUF + ";stream=watch", null),
                BodyHandlers.ofInputStream());
        assertThat(type(response)).isEqualTo(ApiRequest.PROTOBUF + ";stream=watch");
        try (DataInputStream in = new DataInputStream(response.body())) {
            for (String name : new String[] {"a", "b"}) {
                send("POST", PODS, ApiRequest.JSON, protobuf(POD.replace("web", name)));
                JsonObject event = ProtobufDocument.eventToJson(in.readNBytes(in.readInt()));
                assertThat(event.string("type")).isEqualTo("ADDED");
                assertThat(event.string("object", "metadata", "name")).isEqualTo(name);
            }
        }
    }

    @Test
    void metadataAlone_ofAnObjectAListAndAWatch_inBothForms() throws Exception {
        JsonObject created = document(send("POST", PODS, ApiRequest.PROTOBUF + METADATA, protobuf(POD)));
        assertThat(created.members()).containsOnlyKeys("kind", "apiVersion", "metadata");
        assertThat(created.string("kind")).isEqualTo("PartialObjectMetadata");
        assertThat(created.string("apiVersion")).isEqualTo("meta.k8s.io/v1");

        HttpResponse<byte[]> json = send("GET", PODS + "/web", ApiRequest.JSON + METADATA, null);
        assertThat(type(json)).isEqualTo(ApiRequest.JSON);
        assertThat(JsonObject.parse(json.body()).members()).containsOnlyKeys("kind", "apiVersion", "metadata");

        String lists = METADATA.replace("Metadata", "MetadataList");
        JsonObject list = document(send("GET", PODS, ApiRequest.PROTOBUF + lists, null));
        assertThat(list.string("kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.array("items").objects())
                .extracting(item -> item.string("metadata", "name"))
                .containsExactly("web");

        HttpResponse<java.io.InputStream> watch = client.send(
                request("GET", PODS + "?watch=true&resourceVersion=0", ApiRequest.PROTOBUF + METADATA, null),
                BodyHandlers.ofInputStream());
        try (DataInputStream in = new DataInputStream(watch.body())) {
            JsonObject event = ProtobufDocument.eventToJson(in.readNBytes(in.readInt()));
            assertThat(event.object("object")).isEqualTo(created);
        }
    }

    @Test
    void metadataOfAnEmptyList_hasNullForItsItems() throws Exception {
        String lists = METADATA.replace("Metadata", "MetadataList");
        JsonObject json = JsonObject.parse(
                send("GET", PODS, ApiRequest.JSON + lists, null).body());
        assertThat(json.get("items")).isEqualTo(JsonNull.NULL);
        assertThat(document(send("GET", PODS, ApiRequest.PROTOBUF + lists, null))
                        .array("items"))
                .isEmpty();
    }

    @Test
    void metadataOfOne_forAList_isNotAcceptable_norTheOtherWayRound() throws Exception {
        send("POST", PODS, ApiRequest.JSON, protobuf(POD));
        assertThat(send("GET", PODS, ApiRequest.JSON + METADATA, null).statusCode())
                .isEqualTo(406);
        String lists = METADATA.replace("Metadata", "MetadataList");
        assertThat(send("GET", PODS + "/web", ApiRequest.JSON + lists, null).statusCode())
                .isEqualTo(406);
    }

    @Test
    void deployment_createdAsKubectlDoes_hasItsBoundsAsNumbersAndTexts() throws Exception {
        String deployments = "/apis/apps/v1/namespaces/default/deployments";
        byte[] wanted = protobuf(
                "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\"},\"spec\":{"
                        + "\"selector\":{\"matchLabels\":{\"a\":\"b\"}},"
                        + "\"strategy\":{\"rollingUpdate\":{\"maxSurge\":1}},"
                        + "\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},"
                        + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}");

        HttpResponse<byte[]> created = send("POST", deployments, ApiRequest.PROTOBUF, wanted);

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(document(created).object("spec", "strategy"))
                .isEqualTo(JsonObject.parse(
                        "{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxUnavailable\":\"25%\",\"maxSurge\":1}}"));
        assertThat(type(send("GET", deployments + "/web", ApiRequest.PROTOBUF, null)))
                .isEqualTo(ApiRequest.PROTOBUF);
    }

    @Test
    void scale_isServedInProtobufToo() throws Exception {
        HttpResponse<byte[]> scale =
                send("GET", "/apis/apps/v1/namespaces/default/replicasets/none/scale", ApiRequest.PROTOBUF, null);
        assertThat(document(scale).string("reason")).isEqualTo("NotFound");
        send(
                "POST",
                "/apis/apps/v1/namespaces/default/replicasets",
                ApiRequest.JSON,
                protobuf(
                        "{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"metadata\":{\"name\":\"web\"},\"spec\":{"
                                + "\"selector\":{\"matchLabels\":{\"a\":\"b\"}},"
                                + "\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},"
                                + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}"));
        HttpResponse<byte[]> found =
                send("GET", "/apis/apps/v1/namespaces/default/replicasets/web/scale", ApiRequest.PROTOBUF, null);
        assertThat(document(found).string("kind")).isEqualTo("Scale");
    }

    @Test
    void aBodyWithAFieldThatIsNotKnown_isReadWithoutIt_andADamagedOneIsABadRequest() throws Exception {
        WireWriter type = new WireWriter().string(1, "v1").string(2, "Pod");
        WireWriter unknown = new WireWriter().message(1, type).message(2, new WireWriter().string(999, "new"));
        byte[] rest = unknown.toByteArray();
        byte[] body = new byte[4 + rest.length];
        System.arraycopy(new byte[] {'k', '8', 's', 0}, 0, body, 0, 4);
        System.arraycopy(rest, 0, body, 4, rest.length);

        HttpResponse<byte[]> strange = send("POST", PODS, ApiRequest.JSON, body);
        assertThat(strange.statusCode()).isEqualTo(422);
        assertThat(JsonObject.parse(strange.body()).string("message")).contains("name or generateName is required");
        body[5]++;
        assertThat(send("POST", PODS, ApiRequest.JSON, body).statusCode()).isEqualTo(400);
    }
}
