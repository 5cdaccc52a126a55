/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The three controllers on a server, with their informers and workers. */
@SuppressWarnings("try") // the runner only has to be open
class VolumeControllersTest {

    private static final String MERGE = "application/merge-patch+json";
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String CLASSES = "/apis/storage.k8s.io/v1/volumeattributesclasses";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private ControllerRunner run(Function<ControllerContext, ? extends Controller> controller) {
        return ControllerRunner.builder(KubeClient.of(server.transport(), JsonCodec.standard()))
                .controller(controller)
                .start();
    }

    private void createVolume(String spec) {
        requests.post(
                        VOLUMES,
                        "{'metadata':{'name':'v'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                                + "'hostPath':{'path':'/v'}" + spec + "}}")
                .ok();
    }

    private void setPhase(String phase) {
        requests.send("PATCH", VOLUMES + "/v/status", MERGE, "{'status':{'phase':'" + phase + "'}}")
                .ok();
    }

    private void awaitGone(String path) {
        await().untilAsserted(() -> assertThat(requests.get(path).code()).isEqualTo(404));
    }

    @Test
    void volume_staysWhileItIsBound() {
        createVolume("");
        setPhase("Bound");
        requests.delete(VOLUMES + "/v").ok();
        try (ControllerRunner ignored = run(VolumeProtectionController::of)) {
            requests.send("PATCH", VOLUMES + "/v", MERGE, "{'metadata':{'labels':{'a':'b'}}}")
                    .ok();
            assertThat(requests.get(VOLUMES + "/v").code()).isEqualTo(200);

            setPhase("Released");

            awaitGone(VOLUMES + "/v");
        }
    }

    @Test
    void volume_withoutTheFinalizer_getsIt() {
        createVolume("");
        requests.send("PATCH", VOLUMES + "/v", MERGE, "{'metadata':{'finalizers':null}}")
                .ok();
        try (ControllerRunner ignored = run(VolumeProtectionController::of)) {
            await().untilAsserted(() -> assertThat(requests.get(VOLUMES + "/v")
                            .body()
                            .array("metadata", "finalizers")
                            .strings())
                    .containsExactly(VolumeProtectionController.FINALIZER));
        }
    }

    @Test
    void attributesClass_staysWhileAVolumeOrAClaimNamesIt() {
        requests.post(CLASSES, "{'metadata':{'name':'fast'},'driverName':'csi.example.com','parameters':{'a':'b'}}")
                .ok();
        requests.post(
                        ClaimWorld.CLAIMS,
                        "{'metadata':{'name':'data'},'spec':{'volumeAttributesClassName':'fast',"
                                + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}")
                .ok();
        requests.delete(CLASSES + "/fast").ok();
        try (ControllerRunner ignored = run(AttributesClassProtectionController::of)) {
            requests.send("PATCH", CLASSES + "/fast", MERGE, "{'metadata':{'labels':{'a':'b'}}}")
                    .ok();
            assertThat(requests.get(CLASSES + "/fast").code()).isEqualTo(200);

            requests.send("PATCH", ClaimWorld.CLAIMS + "/data", MERGE, "{'metadata':{'finalizers':null}}")
                    .ok();
            requests.delete(ClaimWorld.CLAIMS + "/data").ok();

            awaitGone(CLASSES + "/fast");
        }
    }

    @Test
    void claim_isReleasedWhenItsPodIsGone() {
        requests.post(
                        ClaimWorld.CLAIMS,
                        "{'metadata':{'name':'data'},'spec':{'accessModes':['ReadWriteOnce'],"
                                + "'resources':{'requests':{'storage':'1Gi'}}}}")
                .ok();
        requests.post(
                        ClaimWorld.PODS,
                        "{'metadata':{'name':'p'},'spec':{'nodeName':'node','containers':[{'name':'c','image':'i'}],"
                                + "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'data'}}]}}")
                .ok();
        requests.delete(ClaimWorld.CLAIMS + "/data").ok();
        try (ControllerRunner ignored = run(ClaimProtectionController::of)) {
            requests.delete(ClaimWorld.PODS + "/p?gracePeriodSeconds=0").ok();

            awaitGone(ClaimWorld.CLAIMS + "/data");
        }
    }
}
