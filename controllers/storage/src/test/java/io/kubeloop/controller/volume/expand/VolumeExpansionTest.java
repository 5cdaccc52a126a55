/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.expand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the runner only has to be open
class VolumeExpansionTest {

    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String MERGE = "application/merge-patch+json";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private void createBound(String name, String source) {
        requests.post(
                        "/apis/storage.k8s.io/v1/storageclasses",
                        "{'metadata':{'name':'" + name + "'},'provisioner':'p','allowVolumeExpansion':true}")
                .ok();
        String uid = requests.post(
                        CLAIMS,
                        "{'metadata':{'name':'" + name + "'},'spec':{'accessModes':['ReadWriteOnce'],'volumeName':'"
                                + name + "','storageClassName':'" + name
                                + "','resources':{'requests':{'storage':'1Gi'}}}}")
                .ok()
                .body()
                .string("metadata", "uid");
        requests.post(
                        "/api/v1/persistentvolumes",
                        "{'metadata':{'name':'" + name
                                + "'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                                + "'storageClassName':'" + name + "','claimRef':{'namespace':'default','name':'" + name
                                + "','uid':'"
                                + uid + "'}," + source + "}}")
                .ok();
        requests.send(
                        "PATCH",
                        CLAIMS + "/" + name + "/status",
                        MERGE,
                        "{'status':{'phase':'Bound','capacity':{'storage':'1Gi'}}}")
                .ok();
    }

    private void request(String name, String size) {
        requests.send(
                        "PATCH",
                        CLAIMS + "/" + name,
                        MERGE,
                        "{'spec':{'resources':{'requests':{'storage':'" + size + "'}}}}")
                .ok();
    }

    private List<String> messages() {
        return requests.get("/api/v1/namespaces/default/events")
                .body()
                .array("items")
                .objects()
                .map(event -> event.string("involvedObject", "name") + ": " + event.string("message"))
                .toList();
    }

    @Test
    void boundClaim_thatRequestsMore_isLeftToAnExternalController() {
        createBound("csi", "'csi':{'driver':'d','volumeHandle':'h'}");
        createBound("old", "'cinder':{'volumeID':'v'}");
        createBound("same", "'csi':{'driver':'d','volumeHandle':'s'}");
        try (ControllerRunner ignored = ControllerRunner.builder(
                        KubeClient.of(server.transport(), JsonCodec.standard()))
                .controller(VolumeExpansionController::of)
                .start()) {
            request("csi", "2Gi");
            request("old", "2Gi");

            await().until(() -> messages().contains("csi: waiting for an external controller to expand this PVC"));
            await().until(() -> messages()
                    .contains("old: CSI migration enabled for kubernetes.io/cinder; waiting for external resizer to "
                            + "expand"
                            + " the pvc"));
            await().until(() -> requests.get(CLAIMS + "/old")
                    .body()
                    .object("metadata", "annotations")
                    .strings()
                    .containsKey("volume.kubernetes.io/storage-resizer"));
            assertThat(messages()).noneMatch(message -> message.startsWith("same"));
        }
    }
}
