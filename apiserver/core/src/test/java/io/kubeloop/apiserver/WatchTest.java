/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.Calls.Watch;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The start of a watch, and the end of the initial events of a streaming list (KEP-3157). */
class WatchTest extends GenericServerFixture {

    private static final String WATCH_LIST =
            "?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

    /** As upstream, zero means no timeout; so does a value that no clock reaches. */
    @ParameterizedTest
    @ValueSource(longs = {0, 10_000_000_000L, Long.MAX_VALUE})
    void watch_withATimeoutThatIsNone_staysOpen(long seconds) {
        try (Watch watch = requests.watch(CONFIG_MAPS + "?timeoutSeconds=" + seconds)) {
            createConfigMap("a", "");
            assertThat(watch.event()).startsWith("ADDED a@");
        }
    }

    @Test
    void watchList_sendsThePresent_thenTheMark_thenWhatFollows() {
        String a = createConfigMap("a", "").version();
        String b = createConfigMap("b", "").version();
        try (Watch watch = requests.watch(CONFIG_MAPS + WATCH_LIST)) {
            assertThat(watch.event()).isEqualTo("ADDED a@" + a);
            assertThat(watch.event()).isEqualTo("ADDED b@" + b);
            JsonObject mark = watch.frame();
            assertThat(mark.string("type")).isEqualTo("BOOKMARK");
            assertThat(mark.string("object", "metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
            assertThat(mark.string("object", "metadata", "resourceVersion")).isEqualTo(b);
            assertThat(mark.string("object", "kind")).isEqualTo("ConfigMap");
            requests.delete(CONFIG_MAPS + "/a").ok();
            assertThat(watch.event()).startsWith("DELETED a@");
        }
    }

    @Test
    void watchList_ofNothing_marksAtOnce() {
        try (Watch watch = requests.watch(PODS + WATCH_LIST + "&labelSelector=x=y")) {
            assertThat(watch.frame().string("type")).isEqualTo("BOOKMARK");
        }
    }

    @Test
    void watchList_versionAlreadyReached_isServed_andOneOfTheFuture_isTooLarge() {
        String now = createConfigMap("a", "").version();
        try (Watch watch = requests.watch(CONFIG_MAPS + WATCH_LIST + "&resourceVersion=" + now)) {
            assertThat(watch.event()).isEqualTo("ADDED a@" + now);
        }
        try (Watch watch = requests.watch(CONFIG_MAPS + WATCH_LIST + "&resourceVersion=99999")) {
            assertThat(watch.code()).isEqualTo(504);
            assertThat(watch.frame().string("reason")).isEqualTo("Timeout");
        }
    }

    @Test
    void sendInitialEvents_withoutMatch_isInvalid() {
        try (Watch watch = requests.watch(PODS + "?sendInitialEvents=true")) {
            assertThat(watch.code()).isEqualTo(422);
            assertThat(watch.frame().string("message"))
                    .isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden:"
                            + " sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        }
        try (Watch watch = requests.watch(PODS + "?resourceVersionMatch=NotOlderThan&resourceVersion=1")) {
            assertThat(watch.code()).isEqualTo(422);
        }
        try (Watch watch = requests.watch(PODS + "?sendInitialEvents=true&resourceVersionMatch=Exact")) {
            assertThat(watch.code()).isEqualTo(422);
        }
        assertThat(requests.get(PODS + "?sendInitialEvents=true").code()).isEqualTo(422);
    }

    @Test
    void sendInitialEventsFalse_beginsNow() {
        createConfigMap("a", "");
        String query = "?sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
        try (Watch watch = requests.watch(CONFIG_MAPS + query)) {
            createConfigMap("b", "");
            assertThat(watch.event()).startsWith("ADDED b@");
        }
    }

    @Test
    void noVersionOrAny_beginsWithThePresent() {
        createConfigMap("a", "");
        for (String query : new String[] {"", "?resourceVersion=0"}) {
            try (Watch watch = requests.watch(CONFIG_MAPS + query)) {
                assertThat(watch.event()).startsWith("ADDED a@");
            }
        }
    }

    @Test
    void version_thatIsForgotten_isAnErrorFrame() {
        String from = requests.get(CONFIG_MAPS).version();
        String now = createConfigMap("a", "").version();
        server.compact();
        try (Watch watch = requests.watch(CONFIG_MAPS + "?resourceVersion=" + from)) {
            JsonObject frame = watch.frame();
            assertThat(frame.string("type")).isEqualTo("ERROR");
            assertThat(frame.number("object", "code")).isEqualTo(410);
            assertThat(frame.string("object", "message"))
                    .isEqualTo("too old resource version: " + from + " (" + now + ")");
        }
        try (Watch watch = requests.watch(CONFIG_MAPS + "?resourceVersion=" + now)) {
            createConfigMap("b", "");
            assertThat(watch.event()).startsWith("ADDED b@");
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
        try (Watch watch = requests.watch(CONFIG_MAPS + "/b?fieldSelector=metadata.name=a")) {
            assertThat(watch.frame().string("metadata", "name")).isEqualTo("b");
            assertThat(watch.response()).isInstanceOf(ServerResponse.Document.class);
        }
        assertThat(requests.get(CONFIG_MAPS + "/c?watch=true").code()).isEqualTo(404);
        try (Watch watch = requests.watch(CONFIG_MAPS + "?fieldSelector=metadata.name=b")) {
            assertThat(watch.event()).startsWith("ADDED b@");
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
        try (Watch watch = requests.open(path)) {
            assertThat(watch.code()).isEqualTo(200);
            assertThat(watch.event()).startsWith("ADDED b@");
            requests.delete(CONFIG_MAPS + "/a").ok();
            requests.delete(CONFIG_MAPS + "/b").ok();
            assertThat(watch.event()).startsWith("DELETED b@");
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
        try (Watch watch = requests.watch(CONFIG_MAPS)) {
            requests.post("/api/v1/namespaces/kube-system/configmaps", "{'metadata':{'name':'x'}}")
                    .ok();
            createConfigMap("a", "");
            assertThat(watch.event()).startsWith("ADDED a@");
        }
    }
}
