/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import io.kubeloop.transport.memory.Requests.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares responses with kube-apiserver's: each case is a recorded conversation. */
class RecordedAnswersTest {

    /**
     * Cases whose message only a Go program would produce (a dump of a structure, a diff of two), or that later
     * releases have changed. The comparison of these cases ignores the message.
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
    Stream<DynamicTest> recorded() {
        return Recordings.load("answers").map(c -> DynamicTest.dynamicTest(c.string("name"), () -> replay(c)));
    }

    private static void replay(JsonObject recorded) {
        boolean words = !OTHER_WORDS.contains(recorded.string("name"));
        try (EmbeddedApiServer server = Recordings.server()) {
            Requests requests = new Requests(server.transport());
            recorded.array("steps").objects().forEach(step -> replay(requests, step, words));
        }
    }

    private static void replay(Requests requests, JsonObject step, boolean words) {
        Reply reply = Recordings.send(requests, step);

        JsonObject expected = Recordings.comparable(step.object("answer"));
        JsonObject actual = Recordings.comparable(reply.body());
        assertThat(words ? actual : withoutWords(actual))
                .as("%s %s", step.string("method"), step.string("path"))
                .isEqualTo(words ? expected : withoutWords(expected));
        assertThat((long) reply.code()).isEqualTo(step.number("code"));
    }

    /** Returns a status without its messages; code, reason, and the fields and reasons of its causes remain. */
    private static JsonObject withoutWords(JsonObject status) {
        List<JsonValue> causes = new ArrayList<>();
        status.array("details", "causes").objects().forEach(cause -> causes.add(cause.without("message")));
        return status.has("details")
                ? status.without("message")
                        .with("details", status.object("details").with("causes", JsonArray.of(causes)))
                : status.without("message");
    }
}
