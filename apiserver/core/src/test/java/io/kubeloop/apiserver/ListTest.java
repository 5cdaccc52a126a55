/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.Calls.Answer;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists as the API concepts describe them: versions, pages, and pages of discarded versions. */
class ListTest extends GenericServerFixture {

    @BeforeEach
    void fill() {
        for (int i = 0; i < 5; i++) {
            createConfigMap("c" + i, ",'labels':{'odd':'" + i % 2 + "'}");
        }
    }

    private static List<String> names(JsonObject list) {
        return list.array("items")
                .objects()
                .map(item -> item.string("metadata", "name"))
                .toList();
    }

    @Test
    void pages_showOneState_whateverIsWrittenMeanwhile() {
        Answer first = requests.get(CONFIG_MAPS + "?limit=2").ok();
        assertThat(first.body().number("metadata", "remainingItemCount")).isEqualTo(3);
        List<String> seen = new ArrayList<>(names(first.body()));
        requests.delete(CONFIG_MAPS + "/c3").ok();
        createConfigMap("c2x", "");

        Answer second = requests.get(
                        CONFIG_MAPS + "?limit=2&continue=" + first.body().string("metadata", "continue"))
                .ok();
        seen.addAll(names(second.body()));
        Answer third = requests.get(
                        CONFIG_MAPS + "?limit=2&continue=" + second.body().string("metadata", "continue"))
                .ok();
        seen.addAll(names(third.body()));

        assertThat(seen).containsExactly("c0", "c1", "c2", "c3", "c4");
        assertThat(List.of(second.version(), third.version())).containsOnly(first.version());
        assertThat(third.body().object("metadata").has("continue")).isFalse();
        assertThat(third.body().object("metadata").has("remainingItemCount")).isFalse();
    }

    @Test
    void pages_withSelector_doNotSayHowManyRemain() {
        Answer page = requests.get(CONFIG_MAPS + "?limit=1&labelSelector=odd=1").ok();

        assertThat(names(page.body())).containsExactly("c1");
        assertThat(page.body().object("metadata").has("remainingItemCount")).isFalse();
        assertThat(page.body().string("metadata", "continue")).isNotEmpty();
    }

    @Test
    void continue_afterThePastWasForgotten_isExpiredAndOffersAnInconsistentRest() {
        Answer first = requests.get(CONFIG_MAPS + "?limit=2").ok();
        createConfigMap("c2x", "");
        server.compact();

        Answer expired =
                requests.get(CONFIG_MAPS + "?limit=9&continue=" + first.body().string("metadata", "continue"));

        assertThat(expired.code()).isEqualTo(410);
        assertThat(expired.reason()).isEqualTo("Expired");
        assertThat(expired.message()).startsWith("The provided continue parameter is too old");
        String offered = expired.body().string("metadata", "continue");
        Answer rest = requests.get(CONFIG_MAPS + "?limit=9&continue=" + offered).ok();
        assertThat(names(rest.body())).containsExactly("c2", "c2x", "c3", "c4");
    }

    @Test
    void continue_thatIsNone_isRefused() {
        assertThat(requests.get(CONFIG_MAPS + "?continue=!").code()).isEqualTo(400);
        assertThat(requests.get(CONFIG_MAPS + "?continue=e30").message())
                .startsWith("invalid continue token: continue key is not valid: server does not recognize");
    }

    @Test
    void exact_showsThatVersion_orIsExpired() {
        String before = requests.get(CONFIG_MAPS).version();
        requests.delete(CONFIG_MAPS + "/c0").ok();
        String exact = CONFIG_MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + before;

        Answer past = requests.get(exact).ok();

        assertThat(names(past.body())).contains("c0");
        assertThat(past.version()).isEqualTo(before);
        server.compact();
        Answer expired = requests.get(exact);
        assertThat(expired.code()).isEqualTo(410);
        assertThat(expired.message()).isEqualTo("The resourceVersion for the provided list is too old.");
    }

    @Test
    void notOlderThan_showsThePresent() {
        String before = requests.get(CONFIG_MAPS).version();
        requests.delete(CONFIG_MAPS + "/c0").ok();
        server.compact();

        Answer now = requests.get(CONFIG_MAPS + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + before)
                .ok();

        assertThat(names(now.body())).containsExactly("c1", "c2", "c3", "c4");
        assertThat(Long.parseLong(now.version())).isGreaterThan(Long.parseLong(before));
    }

    @Test
    void anyVersion_knowsNoPages() {
        assertThat(names(requests.get(CONFIG_MAPS + "?resourceVersion=0&limit=2")
                        .ok()
                        .body()))
                .hasSize(5);
    }

    @Test
    void namespaces_whoseNamesBeginAlike_areKeptApart() {
        for (String namespace : List.of("a", "a-b", "ab")) {
            requests.post("/api/v1/namespaces", "{'metadata':{'name':'" + namespace + "'}}")
                    .ok();
            requests.post(
                            "/api/v1/namespaces/" + namespace + "/configmaps",
                            "{'metadata':{'name':'in-" + namespace + "'}}")
                    .ok();
        }
        assertThat(names(requests.get("/api/v1/namespaces/a/configmaps").body()))
                .containsExactly("in-a");
        // etcd's order: '-' sorts before '/'.
        assertThat(names(requests.get(
                                "/api/v1/configmaps?labelSelector=!odd&fieldSelector=metadata.namespace!=kube-system")
                        .body()))
                .containsExactly("in-a-b", "in-a", "in-ab");
    }
}
