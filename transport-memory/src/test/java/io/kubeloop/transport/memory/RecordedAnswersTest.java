package io.kubeloop.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.transport.memory.Requests.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Answers as kube-apiserver does: each case is a recorded conversation, see {@code recorded/answers.json}. */
class RecordedAnswersTest {

    /** Differs from run to run. */
    private static final Set<String> VOLATILE_METADATA =
            Set.of("uid", "creationTimestamp", "resourceVersion", "managedFields", "selfLink");

    private static final Set<String> TIMES = Set.of("deletionTimestamp", "lastTransitionTime");

    /** Came after the release that was recorded. */
    private static final Set<String> NEWER_SPEC = Set.of("ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");

    /** Set by admission plugins, which the embedded server does not have. */
    private static final Set<String> ADMISSION_SPEC = Set.of("tolerations", "priority", "preemptionPolicy");

    private static final String NAMESPACE = "a-fresh-namespace";

    /**
     * Cases whose status has a text that only a program in Go would write (a dump of a structure, a difference of two), or
     * that later releases have changed. Of them everything but the text is compared.
     */
    private static final Set<String> OTHER_WORDS = Set.of(
            "create pod two controllers",
            "create wrong kind",
            "create wrong version",
            "update pod spec is frozen",
            "replicaset without selector",
            "replicaset selector does not match",
            "replicaset empty selector",
            "replicaset selector immutable",
            "replication controller selector does not match",
            "patch unknown type");

    @TestFactory
    Stream<DynamicTest> recorded() throws IOException {
        try (InputStream in = getClass().getResourceAsStream("/recorded/answers.json")) {
            JsonObject file = JsonObject.parse(Objects.requireNonNull(in).readAllBytes());
            return file.array("cases")
                    .objects()
                    .map(c -> DynamicTest.dynamicTest(c.string("name"), () -> replay(c)));
        }
    }

    private static void replay(JsonObject recorded) {
        try (EmbeddedApiServer server =
                EmbeddedApiServer.builder().garbageCollector(false).build()) {
            Requests requests = new Requests(server.transport());
            requests.post("/api/v1/namespaces", "{'metadata':{'name':'" + NAMESPACE + "'}}")
                    .ok();
            boolean words = !OTHER_WORDS.contains(recorded.string("name"));
            recorded.array("steps").objects().forEach(step -> replay(requests, step, words));
        }
    }

    private static void replay(Requests requests, JsonObject step, boolean words) {
        String path = URLDecoder.decode(step.string("path").replace("$NS", NAMESPACE), StandardCharsets.UTF_8);
        JsonValue body = step.get("body");
        String contentType = step.has("contentType") ? step.string("contentType") : ApiRequest.JSON;

        Reply reply = requests.send(
                step.string("method"),
                path,
                contentType,
                body == null ? null : body.toString().replace("$NS", NAMESPACE));

        JsonObject expected = (JsonObject) stable(step.object("answer"), "");
        JsonObject actual = (JsonObject)
                stable(JsonObject.parse(reply.body().toString().replace(NAMESPACE, "$NS")), "");
        assertThat(words ? actual : withoutWords(actual))
                .as("%s %s", step.string("method"), path)
                .isEqualTo(words ? expected : withoutWords(expected));
        assertThat((long) reply.code()).isEqualTo(step.number("code"));
    }

    /** Returns a status without its texts: code, reason, and the fields and reasons of its causes remain. */
    private static JsonObject withoutWords(JsonObject status) {
        List<JsonValue> causes = new ArrayList<>();
        status.array("details", "causes").objects().forEach(cause -> causes.add(cause.without("message")));
        return status.has("details")
                ? status.without("message")
                        .with("details", status.object("details").with("causes", JsonArray.of(causes)))
                : status.without("message");
    }

    /** Returns what can be compared. */
    private static JsonValue stable(JsonValue value, String name) {
        if (value instanceof JsonArray array) {
            // Upstream validates some metadata twice, and says so twice.
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
        // Pods have been counting their generations since 1.33 only.
        return object.string("kind").equals("Pod") && object.has("metadata")
                ? result.with("metadata", result.object("metadata").without("generation"))
                : result;
    }
}
