/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.selinuxwarning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.controller.volume.selinuxwarning.SharedVolumes.Use;
import io.kubeloop.controller.volumes.VolumeSpec;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("try") // the runner only has to be open
class SelinuxWarningTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String DRIVERS = "/apis/storage.k8s.io/v1/csidrivers";
    private static final String MERGE = "application/merge-patch+json";
    private static final VolumeSpec VOLUME = new VolumeSpec(
            "pv", VolumeSpec.CSI, "d.example.com^h", List.of("ReadWriteMany"), true, false, JsonObject.EMPTY);

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "| | false",
                "| system_u:system_r:container_t | false",
                "| system_u:system_r:container_t:s0:c1,c2 | true",
                "::: | system_u:system_r:container_t | false",
                "system_u:system_r:container_t: | system_u:system_r | false",
                "system_u:system_r:conflict_t: | system_u:system_r:container_t | true",
                "::conflict_t | ::container_t | true",
                "system_u::container_t | :system_r:: | false",
                ":::s0:c1,c2 | | true",
                ":::s0:c1,c2 | :::s0:c1,c2 | false",
            })
    void labels_conflictWhereBothHaveAPart_andAlwaysInTheLevel(String one, String other, boolean expected) {
        SelinuxLabel first = new SelinuxLabel(one == null ? "" : one);
        SelinuxLabel second = new SelinuxLabel(other == null ? "" : other);
        assertThat(first.conflictsWith(second)).isEqualTo(expected);
        assertThat(second.conflictsWith(first)).isEqualTo(expected);
    }

    @Test
    void label_isMadeOfItsOptions_whichMayBeEmpty() {
        assertThat(SelinuxLabel.of(JsonObject.parse("{\"type\":\"t\",\"level\":\"s0:c1\"}"))
                        .text())
                .isEqualTo("::t:s0:c1");
        assertThat(SelinuxLabel.of(JsonObject.EMPTY)).isEqualTo(SelinuxLabel.NONE);
    }

    @Test
    void conflict_isToldToBothPods_once_withoutTheNamesOfOtherNamespaces() {
        FakeMetrics metrics = new FakeMetrics();
        SharedVolumes volumes = new SharedVolumes(metrics);
        ObjectName p = new ObjectName("default", "p");
        ObjectName q = new ObjectName("other", "q");
        Use level1 = new Use(new SelinuxLabel(":::s0:c1"), "MountOption");
        Use level2 = new Use(new SelinuxLabel(":::s0:c2"), "MountOption");

        assertThat(volumes.add(VOLUME, p, level1)).isEmpty();
        List<SelinuxConflict> found = volumes.add(VOLUME, q, level2);
        assertThat(volumes.add(VOLUME, q, level2)).isEmpty();

        assertThat(found)
                .extracting(SelinuxConflict::pod, SelinuxConflict::message)
                .containsExactly(
                        tuple(
                                q,
                                "SELinuxLabel\":::s0:c2\" conflicts with another pod that uses the same volume as this"
                                        + " pod with a different SELinuxLabel. If both pods land on the same node, only"
                                        + " one of them may access the volume."),
                        tuple(
                                p,
                                "SELinuxLabel\":::s0:c1\" conflicts with another pod that uses the same volume as this"
                                        + " pod with a different SELinuxLabel. If both pods land on the same node, only"
                                        + " one of them may access the volume."));
        assertThat(volumes.podsOf("d.example.com")).containsExactly(p, q);
        String series = "selinux_warning_controller_selinux_volume_conflict[SELinuxLabel, default, p, :::s0:c1, other,"
                + " q, :::s0:c2]";
        assertThat(metrics.values()).containsEntry(series, 1.0);

        volumes.remove(q);
        assertThat(metrics.values()).doesNotContainKey(series);
        assertThat(volumes.podsOf("d.example.com")).containsExactly(p);
        volumes.remove(p);
        assertThat(volumes.podsOf("d.example.com")).isEmpty();
    }

    private void createVolume(String claim) {
        String path = "/api/v1/namespaces/default/persistentvolumeclaims";
        String uid = requests.post(
                        path,
                        "{'metadata':{'name':'" + claim + "'},'spec':{'accessModes':['ReadWriteMany'],'volumeName':'pv-"
                                + claim + "','resources':{'requests':{'storage':'1Gi'}}}}")
                .ok()
                .body()
                .string("metadata", "uid");
        requests.send("PATCH", path + "/" + claim + "/status", MERGE, "{'status':{'phase':'Bound'}}")
                .ok();
        requests.post(
                        "/api/v1/persistentvolumes",
                        "{'metadata':{'name':'pv-" + claim
                                + "'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteMany'],"
                                + "'csi':{'driver':'d.example.com','volumeHandle':'h'},"
                                + "'claimRef':{'namespace':'default',"
                                + "'name':'" + claim + "','uid':'" + uid + "'}}}")
                .ok();
    }

    private void createPod(String name, String security, String... levels) {
        StringBuilder containers = new StringBuilder();
        for (int i = 0; i < Math.max(1, levels.length); i++) {
            containers.append(i == 0 ? "" : ",").append("{'name':'c").append(i).append("','image':'i',");
            if (levels.length > 0) {
                containers
                        .append("'securityContext':{'seLinuxOptions':{'level':'")
                        .append(levels[i])
                        .append("'}},");
            }
            containers.append("'volumeMounts':[{'name':'v','mountPath':'/v'}]}");
        }
        requests.post(
                        PODS,
                        "{'metadata':{'name':'" + name + "'},'spec':{'securityContext':{" + security
                                + "},'containers':[" + containers
                                + "],'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}]}}")
                .ok();
    }

    private List<String> events() {
        return requests.get("/api/v1/namespaces/default/events")
                .body()
                .array("items")
                .objects()
                .map(event -> event.string("involvedObject", "name") + " " + event.string("type") + " "
                        + event.string("reason"))
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void podsOfADriverThatComesToMountWithLabels_areTold_andPodsWithSeveralLabels() {
        requests.post(DRIVERS, "{'metadata':{'name':'d.example.com'},'spec':{'seLinuxMount':false}}")
                .ok();
        createPod("p", "'seLinuxOptions':{'level':'s0:c1'}");
        createPod("q", "'seLinuxOptions':{'level':'s0:c2'},'seLinuxChangePolicy':'Recursive'");
        createPod("several", "", "s0:c1", "s0:c2");
        try (ControllerRunner ignored = ControllerRunner.builder(
                        KubeClient.of(server.transport(), JsonCodec.standard()))
                .controller(SelinuxWarningController::of)
                .start()) {
            createVolume("c");
            await().until(() -> events().equals(List.of("several Warning MultipleSELinuxLabels")));

            requests.send("PATCH", DRIVERS + "/d.example.com", MERGE, "{'spec':{'seLinuxMount':true}}")
                    .ok();
            await().until(() -> events().equals(List.of(
                    "p Normal SELinuxChangePolicyConflict",
                    "p Normal SELinuxLabelConflict",
                    "q Normal SELinuxChangePolicyConflict",
                    "q Normal SELinuxLabelConflict",
                    "several Warning MultipleSELinuxLabels")));
        }
    }
}
