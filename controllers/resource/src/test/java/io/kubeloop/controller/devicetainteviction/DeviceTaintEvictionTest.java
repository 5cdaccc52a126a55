/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.devicetainteviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the runner only has to be open
class DeviceTaintEvictionTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
    private static final String MERGE = "application/merge-patch+json";
    private static final String BROKEN = "{'key':'x/broken','effect':'NoExecute'}";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private ControllerRunner run() {
        return ControllerRunner.builder(KubeClient.of(server.transport(), JsonCodec.standard()))
                .controller(DeviceTaintEvictionController::of)
                .start();
    }

    private static String devices(String taints) {
        return "'devices':[{'name':'d','taints':[" + taints + "]}]";
    }

    private void createSlice(String name, int generation, String taints) {
        requests.post(
                        SLICES,
                        "{'metadata':{'name':'" + name
                                + "'},'spec':{'driver':'dra.example','pool':{'name':'pool','generation':" + generation
                                + ",'resourceSliceCount':1},'allNodes':true," + devices(taints) + "}}")
                .ok();
    }

    private void taint(String taints) {
        requests.send("PATCH", SLICES + "/s", MERGE, "{'spec':{" + devices(taints) + "}}")
                .ok();
    }

    /**
     * Creates a pod, and a claim of the same name that is allocated and reserved for it. The pod stays while it is
     * deleted.
     */
    private void createPod(String name, String node, String tolerations) {
        String uid = requests.post(
                        PODS,
                        "{'metadata':{'name':'" + name + "','finalizers':['x/hold']},'spec':{" + node
                                + "'containers':[{'name':'c','image':'i'}],"
                                + "'resourceClaims':[{'name':'c','resourceClaimName':'" + name + "'}]}}")
                .ok()
                .body()
                .string("metadata", "uid");
        requests.post(
                        CLAIMS,
                        "{'metadata':{'name':'" + name
                                + "'},'spec':{'devices':{'requests':[{'name':'gpu','exactly':{'deviceClassName':'e'}}"
                                + "]}}}")
                .ok();
        requests.send(
                        "PATCH",
                        CLAIMS + "/" + name + "/status",
                        MERGE,
                        "{'status':{'allocation':{'devices':{'results':[{'request':'gpu','driver':'dra.example',"
                                + "'pool':'pool',"
                                + "'device':'d','tolerations':[" + tolerations + "]}]}},"
                                + "'reservedFor':[{'resource':'pods','name':'" + name + "','uid':'" + uid + "'}]}}")
                .ok();
    }

    private JsonObject pod(String name) {
        return requests.get(PODS + "/" + name).body();
    }

    private boolean isDeleting(String name) {
        return pod(name).object("metadata").has("deletionTimestamp");
    }

    private List<String> events(String pod) {
        return requests.get("/api/v1/namespaces/default/events")
                .body()
                .array("items")
                .objects()
                .filter(event -> event.string("involvedObject", "name").equals(pod))
                .map(event -> event.string("reason") + ": " + event.string("message"))
                .toList();
    }

    @Test
    void podOnATaintedDevice_isEvicted_unlessItsClaimToleratesTheTaint_orItHasNoNode() {
        createSlice("s", 1, "");
        createPod("unscheduled", "", "");
        createPod("tolerant", "'nodeName':'n',", "{'key':'x/broken','operator':'Exists','effect':'NoExecute'}");
        createPod("p", "'nodeName':'n',", "");
        createPod("q", "'nodeName':'n',", "{'key':'x/broken','operator':'Exists'}"); // no effect: does not match
        try (ControllerRunner ignored = run()) {
            taint("{'key':'x/slow','effect':'NoSchedule'}," + BROKEN);

            await().until(() -> isDeleting("p") && isDeleting("q"));
            await().until(() -> !events("p").isEmpty());
            assertThat(events("p")).containsExactly("DeviceTaintManagerEviction: Marking for deletion");
            assertThat(pod("p").array("status", "conditions").objects()).anySatisfy(condition -> {
                assertThat(condition.string("type")).isEqualTo("DisruptionTarget");
                assertThat(condition.string("reason")).isEqualTo("DeletionByDeviceTaintManager");
                assertThat(condition.has("observedGeneration")).isFalse();
                assertThat(condition.string("message"))
                        .isEqualTo("Device Taint manager: deleting due to NoExecute taint");
            });
            assertThat(isDeleting("tolerant")).isFalse();
            assertThat(isDeleting("unscheduled")).isFalse();
        }
    }

    @Test
    void evictionThatWaits_isCancelledWithTheTaint() {
        createSlice("s", 1, BROKEN);
        createPod(
                "p",
                "'nodeName':'n',",
                "{'key':'x/broken','operator':'Exists','effect':'NoExecute','tolerationSeconds':3600}");
        createPod("now", "'nodeName':'n',", "");
        try (ControllerRunner ignored = run()) {
            await().until(() -> isDeleting("now"));
            assertThat(isDeleting("p")).isFalse();

            // The pod may not have been synced yet, so the taint comes again until there was a timer to cancel.
            await().until(() -> {
                taint("");
                boolean isCancelled = events("p").contains("DeviceTaintManagerEviction: Cancelling deletion");
                taint(BROKEN);
                return isCancelled;
            });
            assertThat(isDeleting("p")).isFalse();
        }
    }

    @Test
    void onlyTheNewestGenerationOfAPoolCounts_andTheTimeStartsWithTheTaint() {
        GenericObject claim = object(
                "{'status':{'allocation':{'devices':{'results':[{'driver':'dra.example','pool':'pool','device':'d',"
                        + "'tolerations':[{'operator':'Exists','effect':'NoExecute','tolerationSeconds':60}]}]}}}}");
        GenericObject old = slice(1, "{'key':'a','effect':'NoExecute','timeAdded':'2026-01-01T00:00:00Z'}");
        GenericObject fresh = slice(2, "{'key':'a','effect':'NoExecute','timeAdded':'2026-01-02T00:00:00Z'}");

        assertThat(taints(old).expiry(claim)).hasToString("Expiry[when=2026-01-01T00:01:00Z, rules=[]]");
        assertThat(taints(old, fresh).expiry(claim)).hasToString("Expiry[when=2026-01-02T00:01:00Z, rules=[]]");
        assertThat(taints(old, slice(2, "")).expiry(claim)).isNull();
        assertThat(DeviceTaints.poolsOf(claim)).containsExactly(DeviceTaints.poolOf(old));
    }

    private static DeviceTaints taints(GenericObject... slices) {
        return new DeviceTaints(pool -> List.of(slices), List::of);
    }

    private static GenericObject slice(int generation, String taints) {
        return object("{'spec':{'driver':'dra.example','pool':{'name':'pool','generation':" + generation + "},"
                + devices(taints) + "}}");
    }

    private static GenericObject object(String content) {
        return new GenericObject(
                "resource.k8s.io/v1",
                "X",
                ObjectMeta.EMPTY,
                JsonObject.parse(content.replace('\'', '"')).toUnknownFields());
    }
}
