/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.ephemeral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the runner only has to be open
class EphemeralVolumeTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String SPEC =
            "'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private ControllerRunner run() {
        return ControllerRunner.builder(KubeClient.of(server.transport(), JsonCodec.standard()))
                .controller(EphemeralVolumeController::of)
                .start();
    }

    private JsonObject createPod() {
        return requests.post(
                        PODS,
                        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
                                + "'volumes':[{'name':'data',"
                                + "'ephemeral':{'volumeClaimTemplate':{'metadata':{'labels':{'a':'b'},"
                                + "'annotations':{'n':'1'}},"
                                + SPEC + "}}},{'name':'tmp','emptyDir':{}}]}}")
                .ok()
                .body()
                .object("metadata");
    }

    private void awaitClaim() {
        await().until(() -> requests.get(CLAIMS + "/p-data").code() == 200);
    }

    @Test
    void claim_hasTheTemplatesLabels_andItsPodAsOwner_andComesBack() {
        String uid = createPod().string("uid");
        try (ControllerRunner ignored = run()) {
            awaitClaim();
            JsonObject metadata = requests.get(CLAIMS + "/p-data").body().object("metadata");
            assertThat(metadata.object("labels").strings()).containsEntry("a", "b");
            assertThat(metadata.object("annotations").strings()).containsEntry("n", "1");
            assertThat(metadata.array("ownerReferences").objects())
                    .singleElement()
                    .satisfies(owner -> {
                        assertThat(owner.string("uid")).isEqualTo(uid);
                        assertThat(owner.bool("controller")).isTrue();
                        assertThat(owner.bool("blockOwnerDeletion")).isTrue();
                    });
            String first = metadata.string("uid");

            requests.send(
                            "PATCH",
                            CLAIMS + "/p-data",
                            "application/merge-patch+json",
                            "{'metadata':{'finalizers':null}}")
                    .ok();
            requests.delete(CLAIMS + "/p-data").ok();

            await().until(() -> {
                var answer = requests.get(CLAIMS + "/p-data");
                return answer.code() == 200
                        && !answer.body().string("metadata", "uid").equals(first);
            });
        }
    }

    @Test
    void claimOfSomebodyElse_isReported_andNotTaken() {
        requests.post(CLAIMS, "{'metadata':{'name':'p-data'}," + SPEC + "}").ok();
        createPod();
        try (ControllerRunner ignored = run()) {
            await().until(() -> requests.get("/api/v1/namespaces/default/events")
                    .body()
                    .array("items")
                    .objects()
                    .anyMatch(event -> event.string("reason").equals("FailedBinding")
                            && event.string("message")
                                    .equals("ephemeral volume data: PVC default/p-data was not created for pod "
                                            + "default/p"
                                            + " (pod is not owner)")));
            assertThat(requests.get(CLAIMS + "/p-data")
                            .body()
                            .array("metadata", "ownerReferences")
                            .isEmpty())
                    .isTrue();
        }
    }
}
