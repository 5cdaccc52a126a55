/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

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
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the runner only has to be open
class AttachDetachControllerTest {

    private static final String MERGE = "application/merge-patch+json";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private ControllerRunner run() {
        return ControllerRunner.builder(KubeClient.of(server.transport(), JsonCodec.standard()))
                .controller(context -> AttachDetachController.of(context, AttachDetachConfig.DEFAULT))
                .start();
    }

    private void createNode(String name, String annotations) {
        requests.post("/api/v1/nodes", "{'metadata':{'name':'" + name + "','annotations':{" + annotations + "}}}")
                .ok();
    }

    private void createBoundClaim(String name) {
        String uid = requests.post(
                        CLAIMS,
                        "{'metadata':{'name':'" + name + "'},'spec':{'accessModes':['ReadWriteOnce'],'volumeName':'pv-"
                                + name + "','resources':{'requests':{'storage':'1Gi'}}}}")
                .ok()
                .body()
                .string("metadata", "uid");
        requests.send("PATCH", CLAIMS + "/" + name + "/status", MERGE, "{'status':{'phase':'Bound'}}")
                .ok();
        requests.post(
                        "/api/v1/persistentvolumes",
                        "{'metadata':{'name':'pv-" + name
                                + "'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                                + "'csi':{'driver':'d.example.com','volumeHandle':'h-" + name
                                + "'},'claimRef':{'namespace':'default','name':'" + name + "','uid':'" + uid + "'}}}")
                .ok();
    }

    private void createPod(String name, String claim, String node) {
        requests.post(
                        PODS,
                        "{'metadata':{'name':'" + name + "'},'spec':{'nodeName':'" + node
                                + "','containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v',"
                                + "'persistentVolumeClaim':{'claimName':'" + claim + "'}}]}}")
                .ok();
    }

    private List<JsonObject> attachments() {
        return requests.get(ATTACHMENTS).ok().body().array("items").objects().toList();
    }

    private void attach() {
        await().until(() -> attachments().size() == 1);
        String name = attachments().get(0).string("metadata", "name");
        requests.send("PATCH", ATTACHMENTS + "/" + name + "/status", MERGE, "{'status':{'attached':true}}")
                .ok();
        await().until(() -> reported("a").equals(List.of("kubernetes.io/csi/d.example.com^h-c")));
    }

    private List<String> reported(String node) {
        return requests.get("/api/v1/nodes/" + node)
                .ok()
                .body()
                .array("status", "volumesAttached")
                .objects()
                .map(volume -> volume.string("name"))
                .toList();
    }

    @Test
    void podsVolume_isAttachedToAManagedNode_andDetachedAfterARestartThatMissedThePodsEnd() {
        createNode("a", "'volumes.kubernetes.io/controller-managed-attach-detach':'true'");
        createNode("unmanaged", "");
        createBoundClaim("c");
        createBoundClaim("d");
        try (ControllerRunner ignored = run()) {
            createPod("p", "c", "a");
            createPod("q", "d", "unmanaged");
            attach();
            assertThat(attachments())
                    .singleElement()
                    .satisfies(attachment -> assertThat(attachment.string("spec", "source", "persistentVolumeName"))
                            .isEqualTo("pv-c"));
        }
        requests.delete(PODS + "/p?gracePeriodSeconds=0").ok();

        try (ControllerRunner ignored = run()) {
            await().until(() -> attachments().isEmpty() && reported("a").isEmpty());
        }
    }

    /** The node may use the volume of a failed attachment, until its status tells otherwise or it is gone. */
    @Test
    void attachmentThatFailed_andThatNoPodNeeds_isDeletedWithItsNode() {
        createNode("a", "'volumes.kubernetes.io/controller-managed-attach-detach':''");
        createBoundClaim("c");
        try (ControllerRunner ignored = run()) {
            createPod("p", "c", "a");
            await().until(() -> attachments().size() == 1);
            String name = attachments().get(0).string("metadata", "name");
            requests.send(
                            "PATCH",
                            ATTACHMENTS + "/" + name + "/status",
                            MERGE,
                            "{'status':{'attached':false,'attachError':{'message':'no room'}}}")
                    .ok();
            await().until(() -> requests.get("/api/v1/namespaces/default/events")
                    .ok()
                    .body()
                    .toString()
                    .contains("no room"));
            requests.delete(PODS + "/p?gracePeriodSeconds=0").ok();
            requests.delete("/api/v1/nodes/a").ok();
            await().until(() -> attachments().isEmpty());
        }
    }

    @Test
    void attachmentThatNoNodeReports_isTakenOver() {
        createNode("a", "'volumes.kubernetes.io/controller-managed-attach-detach':''");
        createBoundClaim("c");
        try (ControllerRunner ignored = run()) {
            createPod("p", "c", "a");
            attach();
        }
        String uid = attachments().get(0).string("metadata", "uid");
        requests.send("PATCH", "/api/v1/nodes/a/status", MERGE, "{'status':{'volumesAttached':null}}")
                .ok();

        try (ControllerRunner ignored = run()) {
            await().until(() -> !reported("a").isEmpty());
        }
        assertThat(attachments())
                .singleElement()
                .satisfies(attachment ->
                        assertThat(attachment.string("metadata", "uid")).isEqualTo(uid));
    }
}
