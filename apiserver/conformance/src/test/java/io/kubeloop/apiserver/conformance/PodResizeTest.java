/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;

/** The resize of a pod. {@code RecordedRefusalsTest} contains what it must not change. */
class PodResizeTest extends ServerFixture {

    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String PATH = PODS + "/p/resize";
    private static final String AMOUNTS =
            "'resources':{'requests':{'cpu':'100m','memory':'10Mi'},'limits':{'cpu':'200m','memory':'20Mi'}}";

    private void createSized() {
        requests.post(
                        PODS,
                        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i:1'," + AMOUNTS + "}]}}")
                .ok();
    }

    private static JsonObject container(JsonObject pod) {
        return pod.array("spec", "containers").objects().findFirst().orElseThrow();
    }

    @Test
    void amounts_change_andTheGenerationCountsIt() {
        createSized();
        JsonObject pod = requests.send(
                        "PATCH",
                        PATH,
                        STRATEGIC,
                        "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'0.15'}}}]}}")
                .ok()
                .body();
        assertThat(container(pod).string("resources", "requests", "cpu")).isEqualTo("150m");
        assertThat(container(pod).string("resources", "requests", "memory")).isEqualTo("10Mi");
        assertThat(pod.number("metadata", "generation")).isEqualTo(2);
        assertThat(requests.get(PATH).ok().body()).isEqualTo(pod);
        assertThat(pod.array("metadata", "managedFields").objects().map(entry -> entry.string("subresource")))
                .containsExactlyInAnyOrder("", "resize");
    }

    @Test
    void otherFields_stayAsTheyAre() {
        createSized();
        JsonObject pod = requests.send(
                        "PATCH",
                        PATH,
                        STRATEGIC,
                        "{'metadata':{'labels':{'a':'b'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':"
                                + "'i:2'}]},"
                                + "'status':{'phase':'Running'}}")
                .ok()
                .body();
        assertThat(container(pod).string("image")).isEqualTo("i:1");
        assertThat(pod.object("metadata", "labels").isEmpty()).isTrue();
        assertThat(pod.string("spec", "nodeName")).isEmpty();
        assertThat(pod.string("status", "phase")).isEqualTo("Pending");
        assertThat(pod.number("metadata", "generation")).isEqualTo(1);
    }

    @Test
    void amountsOfThePod_change() {
        requests.post(
                        PODS,
                        "{'metadata':{'name':'p'},'spec':{'resources':{'requests':{'cpu':'1'}},"
                                + "'containers':[{'name':'c','image':'i'}]}}")
                .ok();
        JsonObject pod = requests.send("PATCH", PATH, MERGE, "{'spec':{'resources':{'requests':{'cpu':'2'}}}}")
                .ok()
                .body();
        assertThat(pod.string("spec", "resources", "requests", "cpu")).isEqualTo("2");
    }

    @Test
    void quota_limitsAResize() {
        requests.post(
                        "/api/v1/namespaces/default/resourcequotas",
                        "{'metadata':{'name':'q'},'spec':{'hard':{'requests.cpu':'200m'}}}")
                .ok();
        requests.send(
                        "PATCH",
                        "/api/v1/namespaces/default/resourcequotas/q/status",
                        MERGE,
                        "{'status':{'hard':{'requests.cpu':'200m'},'used':{'requests.cpu':'0'}}}")
                .ok();
        requests.post(
                        PODS,
                        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i','resources':{"
                                + "'requests':"
                                + "{'cpu':'100m'}}}]}}")
                .ok();
        Requests.Reply refused = requests.send(
                "PATCH",
                PATH,
                STRATEGIC,
                "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'300m'}}}]}}");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .endsWith("exceeded quota: q, requested: requests.cpu=200m, used: requests.cpu=100m, limited:"
                        + " requests.cpu=200m");
    }

    /**
     * The scale subresource stores the fields of other managers sorted as text; every other write sorts them as values.
     */
    @Test
    void writeWithoutAChange_afterAScale_sortsTheManagedFields() {
        String set = "/apis/apps/v1/namespaces/default/replicasets/s";
        requests.send(
                        "PATCH",
                        set + "?fieldManager=one",
                        "application/apply-patch+yaml",
                        "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'s'},'spec':{'selector':{"
                                + "'matchLabels':"
                                + "{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{"
                                + "'name':'c',"
                                + "'image':'i','ports':[{'containerPort':443},{'containerPort':81}]}]}}}}")
                .ok();
        String before = requests.get(set).body().object("metadata").toString();
        assertThat(before.indexOf("\\\":443")).isGreaterThan(before.indexOf("\\\":81"));
        requests.send("PATCH", set + "/scale", MERGE, "{'spec':{'replicas':2}}").ok();
        JsonObject scaled = requests.get(set).body();
        String text = scaled.object("metadata").toString();
        assertThat(text.indexOf("\\\":443")).isLessThan(text.indexOf("\\\":81"));
        Requests.Reply written = requests.send("PATCH", set, MERGE, "{}").ok();
        String after = written.body().object("metadata").toString();
        assertThat(after.indexOf("\\\":443")).isGreaterThan(after.indexOf("\\\":81"));
        assertThat(written.version()).isNotEqualTo(scaled.string("metadata", "resourceVersion"));
        assertThat(requests.send("PATCH", set, MERGE, "{}").ok().version()).isEqualTo(written.version());
    }
}
