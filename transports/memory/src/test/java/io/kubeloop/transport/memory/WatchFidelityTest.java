/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import static io.kubeloop.transport.memory.Requests.event;
import static io.kubeloop.transport.memory.Requests.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiStream;
import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The start of a watch, and the end of the initial events of a streaming list (KEP-3157). */
class WatchFidelityTest extends ServerFixture {

    private static final String WATCH_LIST =
            "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

    /** As upstream, zero means no timeout; so does a value that no clock reaches. */
    @ParameterizedTest
    @ValueSource(longs = {0, 10_000_000_000L, Long.MAX_VALUE})
    void watch_withATimeoutThatIsNone_staysOpen(long seconds) {
        try (ApiStream watch = requests.watch(PODS + "?timeoutSeconds=" + seconds)) {
            createPod("a");
            assertThat(event(watch)).startsWith("ADDED a@");
        }
    }

    @Test
    void watchList_sendsThePresent_thenTheMark_thenWhatFollows() {
        String a = createConfigMap("a", "").version();
        String b = createConfigMap("b", "").version();
        try (ApiStream watch = requests.watch(CONFIG_MAPS + WATCH_LIST)) {
            assertThat(event(watch)).isEqualTo("ADDED a@" + a);
            assertThat(event(watch)).isEqualTo("ADDED b@" + b);
            JsonObject mark = frame(watch);
            assertThat(mark.string("type")).isEqualTo("BOOKMARK");
            assertThat(mark.string("object", "metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
            assertThat(mark.string("object", "metadata", "resourceVersion")).isEqualTo(b);
            assertThat(mark.string("object", "kind")).isEqualTo("ConfigMap");
            requests.delete(CONFIG_MAPS + "/a").ok();
            assertThat(event(watch)).startsWith("DELETED a@");
        }
    }

    @Test
    void watchList_ofNothing_marksAtOnce() {
        try (ApiStream watch = requests.watch(PODS + WATCH_LIST + "&labelSelector=x=y")) {
            assertThat(frame(watch).string("type")).isEqualTo("BOOKMARK");
        }
    }

    @Test
    void watchList_versionAlreadyReached_isServed_andOneOfTheFuture_isTooLarge() {
        String now = createConfigMap("a", "").version();
        try (ApiStream watch = requests.watch(CONFIG_MAPS + WATCH_LIST + "&resourceVersion=" + now)) {
            assertThat(event(watch)).isEqualTo("ADDED a@" + now);
        }
        try (ApiStream watch = requests.watch(CONFIG_MAPS + WATCH_LIST + "&resourceVersion=99999")) {
            assertThat(watch.code()).isEqualTo(504);
            assertThat(frame(watch).string("reason")).isEqualTo("Timeout");
        }
    }

    @Test
    void sendInitialEvents_withoutMatch_isInvalid() {
        try (ApiStream watch = requests.watch(PODS + "?sendInitialEvents=true")) {
            assertThat(watch.code()).isEqualTo(422);
            assertThat(frame(watch).string("message"))
                    .isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden:"
                            + " sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        }
        try (ApiStream watch = requests.watch(PODS + "?resourceVersionMatch=NotOlderThan&resourceVersion=1")) {
            assertThat(watch.code()).isEqualTo(422);
        }
        try (ApiStream watch = requests.watch(PODS + "?sendInitialEvents=true&resourceVersionMatch=Exact")) {
            assertThat(watch.code()).isEqualTo(422);
        }
        assertThat(requests.get(PODS + "?sendInitialEvents=true").code()).isEqualTo(422);
    }

    @Test
    void sendInitialEventsFalse_beginsNow() {
        createConfigMap("a", "");
        String query = "?sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
        try (ApiStream watch = requests.watch(CONFIG_MAPS + query)) {
            createConfigMap("b", "");
            assertThat(event(watch)).startsWith("ADDED b@");
        }
    }

    @Test
    void noVersionOrAny_beginsWithThePresent() {
        createConfigMap("a", "");
        for (String query : new String[] {"", "?resourceVersion=0"}) {
            try (ApiStream watch = requests.watch(CONFIG_MAPS + query)) {
                assertThat(event(watch)).startsWith("ADDED a@");
            }
        }
    }

    @Test
    void version_thatIsForgotten_isAnErrorFrame() {
        String from = requests.get(CONFIG_MAPS).version();
        String now = createConfigMap("a", "").version();
        server.compact();
        try (ApiStream watch = requests.watch(CONFIG_MAPS + "?resourceVersion=" + from)) {
            JsonObject frame = frame(watch);
            assertThat(frame.string("type")).isEqualTo("ERROR");
            assertThat(frame.number("object", "code")).isEqualTo(410);
            assertThat(frame.string("object", "message"))
                    .isEqualTo("too old resource version: " + from + " (" + now + ")");
        }
        try (ApiStream watch = requests.watch(CONFIG_MAPS + "?resourceVersion=" + now)) {
            createConfigMap("b", "");
            assertThat(event(watch)).startsWith("ADDED b@");
        }
    }

    /**
     * To watch one object, a client watches the collection with a field selector; a path with a name reads the
     * object.
     */
    @Test
    void oneObject_whoseOwnPathIsWatched_isRead() {
        createConfigMap("a", "");
        createConfigMap("b", "");
        try (ApiStream watch = requests.watch(CONFIG_MAPS + "/b?fieldSelector=metadata.name=a")) {
            assertThat(frame(watch).string("metadata", "name")).isEqualTo("b");
            assertThat(watch.next()).isNull();
        }
        assertThat(requests.get(CONFIG_MAPS + "/c?watch=true").code()).isEqualTo(404);
        try (ApiStream watch = requests.watch(CONFIG_MAPS + "?fieldSelector=metadata.name=b")) {
            assertThat(event(watch)).startsWith("ADDED b@");
        }
    }

    /** The deprecated paths of clients before 1.11, which current servers still serve. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/watch/namespaces/default/configmaps/b",
                "/api/v1/watch/namespaces/default/configmaps/b?fieldSelector=metadata.name=b",
                "/api/v1/watch/namespaces/default/configmaps/b?watch=false",
                "/api/v1/watch/namespaces/default/configmaps?fieldSelector=metadata.name=b",
                "/api/v1/watch/configmaps?fieldSelector=metadata.name=b"
            })
    void pathThatSaysWatch_isWatched(String path) {
        createConfigMap("a", "");
        createConfigMap("b", "");
        try (ApiStream watch = server.transport().stream(Requests.request("GET", path))) {
            assertThat(watch.code()).isEqualTo(200);
            assertThat(event(watch)).startsWith("ADDED b@");
            requests.delete(CONFIG_MAPS + "/a").ok();
            requests.delete(CONFIG_MAPS + "/b").ok();
            assertThat(event(watch)).startsWith("DELETED b@");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    /api/v1/watch/namespaces/default/configmaps/b?fieldSelector=metadata.name=a, 400",
        "GET,    /api/v1/watch/namespaces/default/pods/b?fieldSelector=spec.nodeName=a,       400",
        "GET,    /api/v1/watch/namespaces/default/pods/b/status, 404",
        "GET,    /api/v1/watch, 404",
        "GET,    /api/v1/watch/nothing, 404",
        "DELETE, /api/v1/watch/namespaces/default/configmaps/b, 405",
        "DELETE, /api/v1/watch/namespaces/default/configmaps, 405"
    })
    void pathThatSaysWatch_withSomethingElse_isRefused(String method, String path, int code) {
        createConfigMap("b", "");
        assertThat(requests.send(method, path, null).code()).isEqualTo(code);
        requests.get(CONFIG_MAPS + "/b").ok();
    }

    @Test
    void otherNamespaces_areNotSeen() {
        try (ApiStream watch = requests.watch(CONFIG_MAPS)) {
            requests.post("/api/v1/namespaces/kube-system/configmaps", "{'metadata':{'name':'x'}}")
                    .ok();
            createConfigMap("a", "");
            assertThat(event(watch)).startsWith("ADDED a@");
        }
    }
}
