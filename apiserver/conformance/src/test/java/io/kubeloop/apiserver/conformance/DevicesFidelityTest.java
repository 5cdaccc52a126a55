/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims and taints of devices, and other objects whose fields have an owner that is easy to miss. */
class DevicesFidelityTest extends ServerFixture {

    private static final String CLAIM = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c";
    private static final String RULES = "/apis/resource.k8s.io/v1/devicetaintrules";
    private static final String MERGE = "application/merge-patch+json";

    @BeforeEach
    void createClaim() {
        requests.post(
                        CLAIM.substring(0, CLAIM.length() - 2),
                        "{'metadata':{'name':'c'},'spec':{'devices':{'requests':[{'name':'r','exactly':"
                                + "{'deviceClassName':'x.example.com'}}]}}}")
                .ok();
    }

    private Requests.Reply patchStatus(String status) {
        return requests.send("PATCH", CLAIM + "/status", MERGE, "{'status':" + status + "}");
    }

    private static String allocation(String device) {
        return "{'allocation':{'devices':{'results':[{'request':'r','driver':'d.example.com','pool':'p','device':'"
                + device + "'}]}}}";
    }

    @Test
    void allocation_canBeSetAndRemoved_butNotChanged() {
        patchStatus(allocation("one")).ok();
        assertThat(patchStatus(allocation("two")).message())
                .isEqualTo("ResourceClaim.resource.k8s.io \"c\" is invalid: status.allocation: Invalid value: null:"
                        + " field cannot be modified once set");
        patchStatus("{'allocation':null}").ok();
        patchStatus(allocation("two")).ok();
    }

    @Test
    void consumer_isReservedOnce() {
        String pod = "{'resource':'pods','name':'p','uid':'u'}";
        patchStatus(allocation("one")).ok();
        assertThat(patchStatus("{'reservedFor':[" + pod + "," + pod + "]}").message())
                .endsWith(
                        "status.reservedFor[1]: Duplicate value: {\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"u\"}");
    }

    /** The time is a default of the incoming object, which its client therefore owns. */
    @Test
    void taint_hasATime_thatItsClientOwns() {
        JsonObject rule = requests.post(
                        RULES,
                        "{'metadata':{'name':'t'},'spec':{'taint':{'key':'example.com/k','effect':'NoSchedule'}}}")
                .ok()
                .body();
        assertThat(rule.string("spec", "taint", "timeAdded")).isEqualTo(NOW);
        assertThat(ownedFields(rule).object("f:spec", "f:taint").has("f:timeAdded"))
                .isTrue();
    }

    @Test
    void effect_thatChanges_beginsNow_unlessItsTimeChangesToo() {
        requests.post(
                        RULES,
                        "{'metadata':{'name':'t'},'spec':{'taint':{'key':'example.com/k','effect':'NoSchedule',"
                                + "'timeAdded':'2020-01-01T00:00:00Z'}}}")
                .ok();
        assertThat(timeAfter("{'value':'v'}")).isEqualTo("2020-01-01T00:00:00Z");
        assertThat(timeAfter("{'effect':'NoExecute'}")).isEqualTo(NOW);
        assertThat(timeAfter("{'effect':'None','timeAdded':'2021-01-01T00:00:00Z'}"))
                .isEqualTo("2021-01-01T00:00:00Z");
    }

    private String timeAfter(String taint) {
        return requests.send("PATCH", RULES + "/t", MERGE, "{'spec':{'taint':" + taint + "}}")
                .ok()
                .body()
                .string("spec", "taint", "timeAdded");
    }

    /** The data of a revision can have any form, and have one owner as a whole. */
    @Test
    void dataOfARevision_haveOneOwner() {
        JsonObject revision = requests.post(
                        "/apis/apps/v1/namespaces/default/controllerrevisions",
                        "{'metadata':{'name':'r'},'revision':1,'data':{'spec':{'a':1}}}")
                .ok()
                .body();
        assertThat(ownedFields(revision).get("f:data")).isEqualTo(JsonObject.EMPTY);
    }

    private static JsonObject ownedFields(JsonObject object) {
        return object.array("metadata", "managedFields")
                .objects()
                .toList()
                .get(0)
                .object("fieldsV1");
    }
}
