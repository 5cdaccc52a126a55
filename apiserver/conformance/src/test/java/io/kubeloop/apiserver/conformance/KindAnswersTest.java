/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;

/** Answers of the generic server that depend on Kubernetes' own kinds. */
class KindAnswersTest extends ServerFixture {

    private static final String MERGE = "application/merge-patch+json";

    private void assertAnswer(Reply reply, int code, String message) {
        assertThat(reply.message()).isEqualTo(message);
        assertThat(reply.code()).isEqualTo(code);
    }

    @Test
    void post_anotherKnownKind() {
        assertAnswer(
                requests.post(CONFIG_MAPS, "{'kind':'Pod','apiVersion':'v1'}"),
                400,
                "Pod in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap):"
                        + " unknown"
                        + " conversion");
        assertAnswer(
                requests.post("/api/v1/namespaces/default/events", "{'kind':'Event','apiVersion':'events.k8s.io/v1'}"),
                400,
                "the API version in the data (events.k8s.io/v1) does not match the expected API version (v1)");
    }

    @Test
    void put_clusterScopedObject_losesItsNamespace() {
        String path = "/api/v1/namespaces/default";
        Reply reply = requests.send("PUT", path, "{'metadata':{'name':'default','namespace':'other'}}");
        assertThat(reply.ok().body().object("metadata").has("namespace")).isFalse();
    }

    @Test
    void delete_terminatingNamespace_leavesItAsItIs() {
        String path = "/api/v1/namespaces/held";
        requests.post("/api/v1/namespaces", "{'metadata':{'name':'held'}}").ok();
        assertThat(requests.delete(path, "{'preconditions':{'uid':'x'}}").message())
                .startsWith("Operation cannot be fulfilled on namespaces \"held\": Precondition failed: UID in"
                        + " precondition: x, UID in object meta: ");
        Reply first = requests.delete(path).ok();
        assertThat(first.body().string("status", "phase")).isEqualTo("Terminating");
        Reply second =
                requests.delete(path, "{'propagationPolicy':'Foreground'}").ok();
        assertThat(second.version()).isEqualTo(first.version());
        assertThat(second.body().object("metadata").has("finalizers")).isFalse();
    }

    @Test
    void post_intoTerminatingNamespace() {
        requests.post("/api/v1/namespaces", "{'metadata':{'name':'ending'}}").ok();
        requests.delete("/api/v1/namespaces/ending").ok();
        Reply reply = requests.post("/api/v1/namespaces/ending/configmaps", "{'metadata':{'name':'a'}}");
        assertAnswer(
                reply,
                403,
                "configmaps \"a\" is forbidden: unable to create new content in namespace ending because it is being"
                        + " terminated");
        assertThat(reply.body().array("details", "causes").toString())
                .isEqualTo("[{\"reason\":\"NamespaceTerminating\",\"message\":\"namespace ending is being terminated\","
                        + "\"field\":\"metadata.namespace\"}]");
    }

    @Test
    void put_statusOfAServiceThatDoesNotExist_createsIt() {
        String path = "/api/v1/namespaces/default/services/s/status";
        assertAnswer(
                requests.send("PUT", path, "{'metadata':{'name':'s'}}"),
                422,
                "Service \"s\" is invalid: spec.ports: Required value");
    }

    @Test
    void claim_isWrittenByItsFirstUpdate_becauseTheStorageLacksItsPhase() {
        String path = "/api/v1/namespaces/default/persistentvolumeclaims";
        String claim = "{'metadata':{'name':'a'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':"
                + "{'storage':'1Gi'}}}}";
        Reply created = requests.post(path, claim).ok();
        assertThat(created.body().string("status", "phase")).isEqualTo("Pending");
        Reply first = requests.send("PATCH", path + "/a", MERGE, "{}").ok();
        assertThat(first.version()).isNotEqualTo(created.version());
        assertThat(requests.send("PATCH", path + "/a", MERGE, "{}").ok().version())
                .isEqualTo(first.version());
    }

    @Test
    void failedPreconditions_haveTheTextsOfTheirKinds() {
        requests.post(
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                        "{'metadata':{'name':'nuts.example.com'},'spec':{'group':'example.com','scope':'Cluster',"
                                + "'names':{'plural':'nuts','kind':'Nut'},'versions':[{'name':'v1','served':true,"
                                + "'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}}}]}}")
                .ok();
        requests.post(
                        "/api/v1/namespaces/default/events",
                        "{'metadata':{'name':'e'},'involvedObject':{'namespace':'default'}}")
                .ok();
        assertThat(requests.delete(
                                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/nuts.example.com",
                                "{'preconditions':{'uid':'x'}}")
                        .message())
                .contains("\"nuts.example.com\": precondition failed: UID in precondition: x");
        assertThat(requests.delete("/api/v1/namespaces/default", "{'preconditions':{'uid':'x'}}")
                        .message())
                .contains("\"default\": Precondition failed: UID in precondition: x");
        Reply ofEvent =
                requests.delete("/apis/events.k8s.io/v1/namespaces/default/events/e", "{'preconditions':{'uid':'x'}}");
        assertThat(ofEvent.message()).startsWith("Operation cannot be fulfilled on Event \"e\": the UID");
        assertThat(ofEvent.body().object("details").has("group")).isFalse();
    }
}
