/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.controller.volumes.CsiMigration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the provisioner of a claim or volume requires of its metadata (upstream: {@code updateMigrationAnnotations} and
 * {@code modifyDeletionFinalizers}): an annotation names the CSI driver that a former in-tree plug-in has become, and a
 * finalizer keeps a volume of another in-tree plug-in until its content is deleted.
 */
final class DriverMigration {

    static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";
    static final String IN_TREE_FINALIZER = "kubernetes.io/pv-controller";
    static final String IN_TREE_PREFIX = "kubernetes.io/";
    private static final String EXTERNAL_FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

    private DriverMigration() {}

    /** Returns the metadata of a claim with the right annotation. */
    static ObjectMeta of(Claim claim) {
        Map<String, String> annotations = claim.annotations();
        String provisioner = annotations.getOrDefault(
                Provisioning.PROVISIONER, annotations.getOrDefault(Provisioning.BETA_PROVISIONER, ""));
        return annotated(claim.object().metadata(), provisioner);
    }

    /** Returns the metadata of a volume with the right annotation and finalizers. */
    static ObjectMeta of(Volume volume) {
        String provisioner = volume.annotations().getOrDefault(Volume.PROVISIONED_BY, "");
        ObjectMeta metadata = annotated(volume.object().metadata(), provisioner);
        List<String> finalizers = new ArrayList<>(metadata.finalizers());
        if (CsiMigration.ofPlugin(provisioner).isPresent()) {
            finalizers.remove(IN_TREE_FINALIZER);
        } else if (provisioner.startsWith(IN_TREE_PREFIX)) {
            finalizers.remove(EXTERNAL_FINALIZER);
            if (!volume.reclaimPolicy().equals("Delete")) {
                finalizers.remove(IN_TREE_FINALIZER);
            } else if (!finalizers.contains(IN_TREE_FINALIZER)) {
                finalizers.add(IN_TREE_FINALIZER);
            }
        }
        return ObjectMetaBuilder.builder(metadata).finalizers(finalizers).build();
    }

    private static ObjectMeta annotated(ObjectMeta metadata, String provisioner) {
        if (provisioner.isEmpty()) {
            return metadata;
        }
        Map<String, String> annotations = new HashMap<>(metadata.annotations());
        annotations.remove(MIGRATED_TO);
        CsiMigration.ofPlugin(provisioner).ifPresent(migration -> annotations.put(MIGRATED_TO, migration.driver()));
        return ObjectMetaBuilder.builder(metadata).annotations(annotations).build();
    }
}
