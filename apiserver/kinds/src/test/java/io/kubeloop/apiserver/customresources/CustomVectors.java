/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Sends the requests that {@code e2e/record-custom-resources.sh} has sent to kube-apiserver 1.37.2, and compares the
 * answers. Static functions only.
 */
public final class CustomVectors {

    /** Stands for the status of a failed connection, whose text is not recorded. */
    private static final JsonObject CONNECTION_FAILED = JsonObject.EMPTY.with("kind", "Status");

    private CustomVectors() {}

    private static Stream<JsonObject> vectors(String file) {
        try (InputStream in = Objects.requireNonNull(CustomVectors.class.getResourceAsStream(file))) {
            return ((JsonArray) JsonValue.parse(in.readAllBytes())).objects();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a test for each definition in a directory of vectors. */
    public static Stream<DynamicTest> definitions(String directory) {
        return vectors(directory + "/definitions.json")
                .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> checkDefinition(vector)));
    }

    private static void checkDefinition(JsonObject vector) {
        try (CustomServer server = new CustomServer()) {
            JsonObject definition = vector.object("definition");
            JsonValue patch = vector.get("patch");
            CustomServer.Answer answer;
            if (patch == null) {
                answer = server.post(CustomServer.DEFINITIONS + "?dryRun=All", definition);
            } else {
                server.post(CustomServer.DEFINITIONS, definition);
                String path = CustomServer.DEFINITIONS + "/" + definition.string("metadata", "name");
                answer = server.send("PATCH", path + "?dryRun=All", patch, CustomServer.MERGE);
            }
            JsonObject expected = vector.object("answer");
            assertThat(actual(expected, answer)).isEqualTo(expected(expected));
        }
    }

    /** Returns a test for each conversation about objects in a directory of vectors. */
    public static Stream<DynamicTest> objects(String directory) {
        return vectors(directory + "/objects.json")
                .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> checkObjects(vector)));
    }

    /** Returns a test for each conversation about admission policies in a directory of vectors. */
    public static Stream<DynamicTest> policies(String directory) {
        return vectors(directory + "/policies.json")
                .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> checkPolicies(vector)));
    }

    private static void checkObjects(JsonObject vector) {
        try (CustomServer server = new CustomServer()) {
            server.post(CustomServer.DEFINITIONS, vector.object("definition"));
            checkSteps(server, vector);
        }
    }

    private static void checkPolicies(JsonObject vector) {
        try (CustomServer server = new CustomServer()) {
            vector.array("setup").objects().forEach(step -> server.post(step.string("path"), step.object("body")));
            checkSteps(server, vector);
        }
    }

    private static void checkSteps(CustomServer server, JsonObject vector) {
        List<String> differences = new ArrayList<>();
        for (JsonObject step : vector.array("steps").objects().toList()) {
            if (step.has("owners")) {
                List<String> owners = owners(server.get(step.string("path")).body());
                if (!owners.equals(step.array("owners").strings().toList())) {
                    differences.add(step + "\n  but was  " + JsonArray.ofStrings(owners));
                }
                continue;
            }
            String type = step.string("contentType");
            CustomServer.Answer answer = server.send(
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
        assertThat(differences).as("differences").isEmpty();
    }

    /** Returns the managers of an object with their fields. */
    private static List<String> owners(JsonObject object) {
        return object.array("metadata", "managedFields")
                .objects()
                .map(entry -> String.join(
                        " ",
                        entry.string("manager"),
                        entry.string("operation"),
                        entry.has("subresource") ? entry.string("subresource") : "-",
                        entry.string("apiVersion"),
                        entry.object("fieldsV1").toString()))
                .toList();
    }

    private static String expected(JsonObject answer) {
        JsonValue object = answer.get("object");
        return answer.get("code") + " " + answer.array("warnings") + answer.array("causes") + answer.string("reason")
                + answer.string("message") + (object == null ? "" : GoText.sorted(object));
    }

    private static String actual(JsonObject expected, CustomServer.Answer answer) {
        boolean failed = answer.code() >= 500 && !expected.has("message") && !expected.has("causes");
        JsonObject body = failed ? CONNECTION_FAILED : answer.body();
        List<String> causes = body.array("details", "causes")
                .objects()
                .map(cause -> cause.string("reason") + " " + cause.string("field") + ": " + cause.string("message"))
                .sorted()
                .toList();
        List<String> warnings = answer.warnings().stream()
                .filter(warning -> !warning.startsWith("x-kubernetes-validations of ")) // which this server adds
                .sorted()
                .toList();
        boolean status = body.string("kind").equals("Status");
        String message = status && expected.has("message") ? body.string("message") : "";
        String reason = expected.has("reason") ? body.string("reason") : "";
        return answer.code() + " " + JsonArray.ofStrings(warnings) + JsonArray.ofStrings(causes) + reason + message
                + (status ? "" : GoText.sorted(cleaned(body)));
    }

    /** Returns an object without what differs from server to server. */
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
                        JsonArray.of(items.objects().map(CustomVectors::cleaned).toList()));
    }
}
