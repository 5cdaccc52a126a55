/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.clusterroleaggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterRoleAggregationControllerTest {

    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    private static final String MERGE = "application/merge-patch+json";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());
    private ControllerRunner runner;

    @BeforeEach
    void start() {
        runner = ControllerRunner.builder(KubeClient.of(server.transport(), JsonCodec.standard()))
                .controller(ClusterRoleAggregationController::of)
                .start();
    }

    @AfterEach
    void close() {
        runner.close();
        server.close();
    }

    private static String rule(String resource) {
        return "{'apiGroups':['example.com'],'resources':['" + resource + "'],'verbs':['get']}";
    }

    /** Creates a role with a label that selectors use. */
    private void createRole(String name, String label, String... resources) {
        List<String> rules = List.of(resources).stream()
                .map(ClusterRoleAggregationControllerTest::rule)
                .toList();
        requests.post(
                        ROLES,
                        "{'metadata':{'name':'" + name + "','labels':{'to':'" + label + "'}},'rules':["
                                + String.join(",", rules) + "]}")
                .ok();
    }

    private void createAggregated(String name, String label, String... selectors) {
        requests.post(
                        ROLES,
                        "{'metadata':{'name':'" + name + "','labels':{'to':'" + label
                                + "'}},'aggregationRule':{'clusterRoleSelectors':[" + String.join(",", selectors)
                                + "]}}")
                .ok();
    }

    private static String labelled(String label) {
        return "{'matchLabels':{'to':'" + label + "'}}";
    }

    private JsonObject role(String name) {
        return requests.get(ROLES + "/" + name).ok().body();
    }

    private void awaitResources(String name, String... resources) {
        await().untilAsserted(() -> assertThat(role(name)
                        .array("rules")
                        .objects()
                        .flatMap(rule -> rule.array("resources").strings()))
                .containsExactly(resources));
    }

    @Test
    void rules_areThoseOfTheSelectedRoles_byName_eachOnce() {
        createRole("b", "all", "pods", "cards");
        createRole("a", "all", "cards", "games");
        createRole("other", "none", "secrets");

        createAggregated("all", "all", labelled("all"));

        awaitResources("all", "cards", "games", "pods");
    }

    @Test
    void severalSelectors_keepTheirOrder_andMayHaveExpressions() {
        createRole("a", "one", "cards");
        createRole("b", "two", "games");

        createAggregated(
                "both",
                "none",
                "{'matchExpressions':[{'key':'to','operator':'In','values':['two']}]}",
                labelled("one"));

        awaitResources("both", "games", "cards");
    }

    @Test
    void aggregatedRole_followsCreationChangeAndDeletion() {
        createAggregated("all", "none", labelled("all"));
        createRole("a", "all", "cards");
        awaitResources("all", "cards");

        requests.send("PATCH", ROLES + "/a", MERGE, "{'rules':[" + rule("games") + "]}")
                .ok();
        awaitResources("all", "games");

        requests.delete(ROLES + "/a").ok();
        awaitResources("all");
    }

    @Test
    void aggregatedRoles_canBeSelected() {
        createAggregated("outer", "none", labelled("inner"));
        createAggregated("inner", "inner", labelled("leaf"));

        createRole("leaf", "leaf", "cards");

        awaitResources("outer", "cards");
    }

    @Test
    void rulesOfOthers_areTakenOver() {
        createRole("a", "all", "cards");
        createAggregated("all", "none", labelled("all"));
        awaitResources("all", "cards");

        requests.send("PATCH", ROLES + "/all", MERGE, "{'rules':[" + rule("secrets") + "]}")
                .ok();

        awaitResources("all", "cards");
        assertThat(role("all").array("metadata", "managedFields").toString())
                .contains("\"manager\":\"clusterrole-aggregation-controller\",\"operation\":\"Apply\"");
    }

    @Test
    void roleWithoutAnAggregationRule_staysAsItIs() {
        createRole("a", "all", "cards");
        JsonObject before = role("a");

        createAggregated("all", "none", labelled("all"));
        awaitResources("all", "cards");

        assertThat(role("a")).isEqualTo(before);
    }
}
