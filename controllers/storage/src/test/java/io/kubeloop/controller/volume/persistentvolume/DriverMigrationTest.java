/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upstream: {@code TestUpdateMigrationAnnotations} and {@code TestModifyDeletionFinalizers}. */
class DriverMigrationTest {

    private static final String PROTECTION = "kubernetes.io/pv-protection";

    private static ObjectMeta volume(String provisioner, String policy, List<String> finalizers) {
        Map<String, String> annotations =
                provisioner.isEmpty() ? Map.of() : Map.of("pv.kubernetes.io/provisioned-by", provisioner);
        return DriverMigration.of(Volume.of(new GenericObject(
                "v1",
                "PersistentVolume",
                ObjectMetaBuilder.builder()
                        .name("v")
                        .annotations(annotations)
                        .finalizers(finalizers)
                        .build(),
                JsonObject.parse("{\"spec\":{\"persistentVolumeReclaimPolicy\":\"" + policy + "\"}}")
                        .toUnknownFields())));
    }

    private static Map<String, String> claim(Map<String, String> annotations) {
        ObjectMeta metadata =
                ObjectMetaBuilder.builder().name("c").annotations(annotations).build();
        return DriverMigration.of(Claim.of(new PersistentVolumeClaim(metadata, JsonObject.EMPTY.toUnknownFields())))
                .annotations();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "kubernetes.io/gce-pd, pd.csi.storage.gke.io",
                "kubernetes.io/portworx-volume, pxd.portworx.com",
                "pd.csi.storage.gke.io, -",
                "kubernetes.io/host-path, -",
                "'', -",
            })
    void volumeOfAFormerPlugin_namesItsDriver(String provisioner, String driver) {
        assertThat(volume(provisioner, "Retain", List.of(PROTECTION))
                        .annotations()
                        .get(DriverMigration.MIGRATED_TO))
                .isEqualTo(driver);
    }

    @ParameterizedTest
    @CsvSource({
        "kubernetes.io/host-path, Delete, kubernetes.io/pv-protection kubernetes.io/pv-controller",
        "kubernetes.io/host-path, Retain, kubernetes.io/pv-protection",
        "kubernetes.io/gce-pd, Delete, kubernetes.io/pv-protection",
        "csi.example.com, Delete, kubernetes.io/pv-protection external-provisioner.volume.kubernetes.io/finalizer",
        "'', Delete, kubernetes.io/pv-protection external-provisioner.volume.kubernetes.io/finalizer",
    })
    void finalizers_followTheProvisioner(String provisioner, String policy, String wanted) {
        String external = "external-provisioner.volume.kubernetes.io/finalizer";
        List<String> before = provisioner.equals("kubernetes.io/gce-pd")
                ? List.of(PROTECTION, "kubernetes.io/pv-controller")
                : List.of(PROTECTION, external);
        assertThat(String.join(" ", volume(provisioner, policy, before).finalizers()))
                .isEqualTo(wanted);
    }

    @Test
    void claim_namesTheDriverOfItsProvisioner_whicheverAnnotationHasIt() {
        assertThat(claim(Map.of("volume.kubernetes.io/storage-provisioner", "kubernetes.io/aws-ebs")))
                .containsEntry(DriverMigration.MIGRATED_TO, "ebs.csi.aws.com");
        assertThat(claim(Map.of("volume.beta.kubernetes.io/storage-provisioner", "kubernetes.io/cinder")))
                .containsEntry(DriverMigration.MIGRATED_TO, "cinder.csi.openstack.org");
        assertThat(claim(Map.of(
                        "volume.kubernetes.io/storage-provisioner",
                        "csi.example.com",
                        DriverMigration.MIGRATED_TO,
                        "x")))
                .doesNotContainKey(DriverMigration.MIGRATED_TO);
        assertThat(claim(Map.of(DriverMigration.MIGRATED_TO, "x"))).containsEntry(DriverMigration.MIGRATED_TO, "x");
    }
}
