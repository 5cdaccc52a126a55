/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import io.kubeloop.transport.memory.Requests.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The recorded behavior of kube-apiserver as test data, and the comparison with it. */
final class Recordings {

    /** Fields that differ from run to run. */
    private static final Set<String> VOLATILE_METADATA =
            Set.of("uid", "creationTimestamp", "resourceVersion", "managedFields", "selfLink");

    private static final Set<String> TIMES = Set.of("deletionTimestamp", "lastTransitionTime");

    /** Fields that are newer than the recorded release. */
    private static final Set<String> NEWER_SPEC = Set.of("ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");

    /** Fields of admission plugins that the embedded server does not have. */
    private static final Set<String> ADMISSION_SPEC = Set.of("tolerations", "priority", "preemptionPolicy");

    private static final String NAMESPACE = "a-fresh-namespace";

    private Recordings() {}

    /** Returns the cases of a file. */
    static Stream<JsonObject> load(String name) {
        try (InputStream in = Recordings.class.getResourceAsStream("/recorded/" + name + ".json")) {
            return JsonObject.parse(Objects.requireNonNull(in, name).readAllBytes())
                    .array("cases")
                    .objects();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a server with the namespace of the recordings and without the collector. */
    static EmbeddedApiServer server() {
        EmbeddedApiServer server = EmbeddedApiServer.builder().build();
        new Requests(server.transport())
                .post("/api/v1/namespaces", "{'metadata':{'name':'" + NAMESPACE + "'}}")
                .ok();
        return server;
    }

    /** Repeats the request of a step. */
    static Reply send(Requests requests, JsonObject step) {
        JsonValue body = step.get("body");
        return requests.send(
                step.string("method"),
                path(step.string("path")),
                step.has("contentType") ? step.string("contentType") : ApiRequest.JSON,
                body == null ? null : body.toString().replace("$NS", NAMESPACE));
    }

    static String path(String recorded) {
        return URLDecoder.decode(recorded.replace("$NS", NAMESPACE), StandardCharsets.UTF_8);
    }

    /** Returns the comparable part of a response. */
    static JsonObject comparable(JsonObject answer) {
        return (JsonObject) stable(JsonObject.parse(answer.toString().replace(NAMESPACE, "$NS")), "");
    }

    /** Returns the comparable part of a value. */
    private static JsonValue stable(JsonValue value, String name) {
        if (value instanceof JsonArray array) {
            // Upstream validates some metadata twice and repeats the errors.
            Set<JsonValue> elements = new LinkedHashSet<>();
            array.forEach(element -> elements.add(stable(element, "")));
            return JsonArray.of(elements);
        }
        if (value instanceof JsonString text) {
            return new JsonString(text.value()
                    .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UID")
                    .replaceAll("(resource version: \\d+, current:) \\d+", "$1 N")
                    .replaceAll("(ResourceVersion in record \\()\\d+", "$1N"));
        }
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        JsonObject result = object;
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            String key = member.getKey();
            boolean left = (name.equals("metadata") && VOLATILE_METADATA.contains(key))
                    || (name.equals("details") && key.equals("uid"))
                    || (name.equals("labels") && key.equals("kubernetes.io/metadata.name"))
                    || (name.equals("spec") && (NEWER_SPEC.contains(key) || ADMISSION_SPEC.contains(key)))
                    || member.getValue() == JsonNull.NULL;
            result = left
                    ? result.without(key)
                    : result.with(key, TIMES.contains(key) ? new JsonString("T") : stable(member.getValue(), key));
        }
        if (name.equals("metadata") && result.object("labels").isEmpty()) {
            result = result.without("labels");
        }
        // Pods have a generation only since 1.33.
        return object.string("kind").equals("Pod") && object.has("metadata")
                ? result.with("metadata", result.object("metadata").without("generation"))
                : result;
    }
}
