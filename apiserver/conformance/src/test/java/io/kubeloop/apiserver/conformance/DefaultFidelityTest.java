/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults of kube-apiserver that the recorded conversations do not cover. */
class DefaultFidelityTest extends ServerFixture {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'name':'v'} | {'name':'v','emptyDir':{}}",
                "{'name':'v','hostPath':{'path':'/x'}} | {'name':'v','hostPath':{'path':'/x','type':''}}",
                "{'name':'v','downwardAPI':{'items':[{'path':'x','fieldRef':{'fieldPath':'metadata.name'}}]}} "
                        + "| {'name':'v','downwardAPI':{'items':[{'path':'x','fieldRef':{'fieldPath':'metadata.name',"
                        + "'apiVersion':'v1'}}],'defaultMode':420}}",
                "{'name':'v','projected':{'sources':[{'serviceAccountToken':{'path':'t'}},{'downwardAPI':{'items':[{"
                        + "'path':'x','fieldRef':{'fieldPath':'metadata.name'}}]}}]}} "
                        + "| {'name':'v','projected':{'sources':[{'serviceAccountToken':{'path':'t',"
                        + "'expirationSeconds':3600}},{'downwardAPI':{'items':[{'path':'x','fieldRef':{"
                        + "'fieldPath':'metadata.name','apiVersion':'v1'}}]}}],'defaultMode':420}}"
            })
    void volumes(String given, String stored) {
        JsonObject pod = createPod("a", "", ",'serviceAccountName':'s','volumes':[" + given + "]")
                .body();
        assertThat(pod.array("spec", "volumes").objects()).containsExactly(json(stored));
    }

    @Test
    void requestsOfAPod_areItsLimits_butThoseOfATemplateAreLeft() {
        String limits =
                "'containers':[{'name':'c','image':'i','resources':{'limits':{'cpu':'1','memory':'1Gi'},'requests':{"
                        + "'cpu':'500m'}}}]";
        JsonObject pod = requests.post(PODS, "{'metadata':{'name':'a'},'spec':{" + limits + "}}")
                .ok()
                .body();
        JsonObject template = requests.post(
                        "/api/v1/namespaces/default/podtemplates",
                        "{'metadata':{'name':'a'},'template':{'spec':{" + limits + "}}}")
                .ok()
                .body();

        assertThat(container(pod.object("spec")).object("resources", "requests"))
                .isEqualTo(json("{'cpu':'500m','memory':'1Gi'}"));
        assertThat(container(template.object("template", "spec")).object("resources", "requests"))
                .isEqualTo(json("{'cpu':'500m'}"));
    }

    @Test
    void portsOnTheHostsNetwork_areThoseOfTheHost() {
        JsonObject pod = requests.post(
                        PODS,
                        "{'metadata':{'name':'a'},'spec':{'hostNetwork':true,'containers':[{'name':'c','image':'i',"
                                + "'ports':[{'containerPort':80}]}]}}")
                .ok()
                .body();
        assertThat(container(pod.object("spec")).array("ports").objects())
                .containsExactly(json("{'containerPort':80,'hostPort':80,'protocol':'TCP'}"));
    }

    @Test
    void hooksOverHttp_haveAPathAndAScheme() {
        JsonObject pod = requests.post(
                        PODS,
                        "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i','lifecycle':{"
                                + "'preStop':{'httpGet':{'port':80}}}}]}}")
                .ok()
                .body();
        assertThat(container(pod.object("spec")).object("lifecycle", "preStop", "httpGet"))
                .isEqualTo(json("{'port':80,'path':'/','scheme':'HTTP'}"));
    }

    @Test
    void serviceAccount_hasItsOldNameToo() {
        JsonObject byOldName = createPod("a", "", ",'serviceAccount':'robot'").body();
        JsonObject byNewName = createPod("b", "", ",'serviceAccountName':'robot','serviceAccount':'old'")
                .body();

        assertThat(byOldName.string("spec", "serviceAccountName")).isEqualTo("robot");
        assertThat(byNewName.string("spec", "serviceAccount")).isEqualTo("robot");
    }

    @Test
    void affinityToClients_lastsThreeHours() {
        JsonObject service = requests.post(
                        SERVICES,
                        "{'metadata':{'name':'a'},'spec':{'ports':[{'port':1}],'sessionAffinity':'ClientIP'}}")
                .ok()
                .body();
        assertThat(service.number("spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds"))
                .isEqualTo(10800);

        JsonObject without = requests.send(
                        "PATCH", SERVICES + "/a", "application/merge-patch+json", "{'spec':{'sessionAffinity':'None'}}")
                .ok()
                .body();
        assertThat(without.object("spec").has("sessionAffinityConfig")).isFalse();
    }

    private static JsonObject container(JsonObject spec) {
        return spec.array("containers").objects().findFirst().orElseThrow();
    }

    private static JsonObject json(String text) {
        return JsonObject.parse(text.replace('\'', '"'));
    }
}
