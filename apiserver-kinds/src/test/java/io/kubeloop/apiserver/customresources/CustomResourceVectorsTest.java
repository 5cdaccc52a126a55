package io.kubeloop.apiserver.customresources;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Sends the requests that {@code e2e/record-custom-resources.sh} has sent to kube-apiserver 1.36.3, and compares the answers.
 */
@Execution(ExecutionMode.CONCURRENT)
class CustomResourceVectorsTest {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /** The name of the case, to run one alone. */
    private static JsonArray vectors(String file) {
        try (InputStream in = Objects.requireNonNull(
                CustomResourceVectorsTest.class.getResourceAsStream("/vectors/custom/" + file))) {
            return (JsonArray) JsonValue.parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> definitionIsAnsweredAsByKubeApiServer() {
        return vectors("definitions.json")
                .objects()
                .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> checkDefinition(vector)));
    }

    private static void checkDefinition(JsonObject vector) {
        try (ApiServer server = ApiServer.builder().build(BuiltInKinds.create())) {
            JsonObject definition = vector.object("definition");
            JsonValue patch = vector.get("patch");
            if (patch == null) {
                compare(vector, send(server, "POST", DEFINITIONS + "?dryRun=All", definition, "application/json"));
                return;
            }
            assertThat(send(server, "POST", DEFINITIONS, definition, "application/json")
                            .code())
                    .isEqualTo(201);
            String path = DEFINITIONS + "/" + definition.string("metadata", "name");
            compare(vector, send(server, "PATCH", path + "?dryRun=All", patch, "application/merge-patch+json"));
        }
    }

    @TestFactory
    Stream<DynamicTest> requestsForObjectsAreAnsweredAsByKubeApiServer() {
        return vectors("objects.json")
                .objects()
                .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> checkObjects(vector)));
    }

    private static void checkObjects(JsonObject vector) {
        List<String> differences = new ArrayList<>();
        try (ApiServer server = ApiServer.builder().build(BuiltInKinds.create())) {
            assertThat(send(server, "POST", DEFINITIONS, vector.object("definition"), "application/json")
                            .code())
                    .isEqualTo(201);
            for (JsonObject step : vector.array("steps").objects().toList()) {
                String type = step.string("contentType");
                ServerResponse.Document answer = send(
                        server,
                        step.string("method"),
                        step.string("path"),
                        step.get("body"),
                        type.isEmpty() ? "application/json" : type);
                String expected = expected(step.object("answer"));
                String actual = actual(step.object("answer"), answer);
                if (!actual.equals(expected)) {
                    differences.add(step.without("answer") + "\n  expected " + expected + "\n  but was  " + actual);
                }
            }
        }
        assertThat(differences).as("differences").isEmpty();
    }

    private static void compare(JsonObject vector, ServerResponse.Document answer) {
        JsonObject expected = vector.object("answer");
        assertThat(actual(expected, answer)).isEqualTo(expected(expected));
    }

    private static ServerResponse.Document send(
            ApiServer server,
            String method,
            String path,
            @org.jspecify.annotations.Nullable JsonValue body,
            String type) {
        int question = path.indexOf('?');
        Map<String, String> query = new LinkedHashMap<>();
        if (question >= 0) {
            for (String parameter : path.substring(question + 1).split("&", -1)) {
                int equals = parameter.indexOf('=');
                query.put(
                        parameter.substring(0, equals),
                        URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        byte[] bytes = body == null
                ? null
                : body instanceof JsonString text ? text.value().getBytes(StandardCharsets.UTF_8) : body.toBytes();
        ApiRequest request = ApiRequest.of(
                method,
                question < 0 ? path : path.substring(0, question),
                query,
                bytes == null ? null : new ApiRequest.Body(type, bytes));
        return (ServerResponse.Document) server.handle(request);
    }

    private static String expected(JsonObject answer) {
        JsonValue object = answer.get("object");
        return answer.get("code") + " " + answer.array("warnings") + answer.array("causes") + answer.string("message")
                + (object == null ? "" : sorted(object));
    }

    private static String actual(JsonObject expected, ServerResponse.Document answer) {
        JsonObject body = JsonObject.parse(bytes(answer));
        List<String> causes = body.array("details", "causes")
                .objects()
                .map(cause -> cause.string("reason") + " " + cause.string("field") + ": " + cause.string("message"))
                .sorted()
                .toList();
        boolean status = body.string("kind").equals("Status");
        String message = status && causes.isEmpty() && expected.has("message") ? body.string("message") : "";
        return answer.code() + " "
                + JsonArray.ofStrings(answer.warnings().stream()
                        .filter(warning -> !warning.startsWith("x-kubernetes-validations of "))
                        .sorted()
                        .toList())
                + JsonArray.ofStrings(causes) + message + (status ? "" : sorted(cleaned(body)));
    }

    private static JsonObject cleaned(JsonObject object) {
        JsonObject metadata = object.object("metadata");
        for (String field : List.of("uid", "resourceVersion", "creationTimestamp", "managedFields")) {
            metadata = metadata.without(field);
        }
        JsonObject result = object.with("metadata", metadata);
        JsonArray conditions = object.array("status", "conditions");
        if (!conditions.isEmpty()) {
            JsonArray timeless = JsonArray.of(conditions
                    .objects()
                    .map(condition -> condition.without("lastTransitionTime"))
                    .toList());
            result = result.with("status", result.object("status").with("conditions", timeless));
        }
        JsonArray items = object.array("items");
        return items.isEmpty()
                ? result
                : result.with(
                        "items",
                        JsonArray.of(items.objects()
                                .map(CustomResourceVectorsTest::cleaned)
                                .toList()));
    }

    private static JsonValue sorted(JsonValue value) {
        if (value instanceof JsonObject object && object.has("items")) {
            JsonArray items = JsonArray.of(object.array("items")
                    .objects()
                    .map(CustomResourceVectorsTest::cleaned)
                    .toList());
            return io.kubeloop.apiserver.customresources.schema.GoJson.sorted(object.with("items", items));
        }
        return io.kubeloop.apiserver.customresources.schema.GoJson.sorted(value);
    }

    private static byte[] bytes(ServerResponse.Document document) {
        int size =
                document.pieces().stream().mapToInt(piece -> piece.remaining()).sum();
        byte[] bytes = new byte[size];
        int at = 0;
        for (java.nio.ByteBuffer piece : document.pieces()) {
            int length = piece.remaining();
            piece.duplicate().get(bytes, at, length);
            at += length;
        }
        return bytes;
    }
}
