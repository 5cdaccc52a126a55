/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiStream;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares watches with kube-apiserver's, live and replayed: each case is a recorded watch that ends with a marker. */
class RecordedWatchesTest {

    @TestFactory
    Stream<DynamicTest> replayed() {
        return Recordings.load("watches").map(c -> DynamicTest.dynamicTest(c.string("name"), () -> watch(c, false)));
    }

    @TestFactory
    Stream<DynamicTest> live() {
        return Recordings.load("watches").map(c -> DynamicTest.dynamicTest(c.string("name"), () -> watch(c, true)));
    }

    private static void watch(JsonObject recorded, boolean live) {
        try (EmbeddedApiServer server = Recordings.server()) {
            Requests requests = new Requests(server.transport());
            String path = Recordings.path(recorded.string("watch"));
            String version = requests.get(path).version();
            String from = path + (path.contains("?") ? "&" : "?") + "resourceVersion=" + version;
            ApiStream early = requests.watch(from);
            recorded.array("steps").objects().forEach(step -> Recordings.send(requests, step));
            try (ApiStream watch = live ? early : requests.watch(from)) {
                List<JsonObject> expected = recorded.array("events").objects().toList();
                for (JsonObject event : expected) {
                    assertThat(Recordings.comparable(Requests.frame(watch))).isEqualTo(Recordings.comparable(event));
                }
            }
        }
    }
}
