/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.volumes.CsiMigration;
import java.util.HashMap;
import java.util.Map;

/**
 * Hands a claim to the external provisioner of its class (upstream: {@code provisionClaim}). No plug-in of this process
 * provisions volumes; the former in-tree plug-ins have become CSI drivers. Confined to the worker; blocks for a
 * request.
 *
 * @param binding writes claims
 * @param classes the storage classes
 * @param isEnabled if false, claims wait for a volume
 */
record Provisioning(Binding binding, StorageClasses classes, boolean isEnabled) {

    private static final String FAILED = "ProvisioningFailed";

    /** Both annotations name the provisioner; the second one is for provisioners of old releases. */
    static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";

    static final String BETA_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

    void provision(Claim claim) {
        if (!isEnabled) {
            return;
        }
        GenericObject found = classes.get(claim.className());
        if (found == null) {
            binding.event(
                    claim,
                    EventType.WARNING,
                    FAILED,
                    "storageclass.storage.k8s.io \"" + claim.className() + "\" not found");
            return;
        }
        String name = found.string("provisioner");
        String provisioner =
                CsiMigration.ofPlugin(name).map(CsiMigration::driver).orElse(name);
        if (provisioner.startsWith("kubernetes.io/")) {
            binding.event(claim, EventType.WARNING, FAILED, withoutProvisioner(provisioner));
            return;
        }
        Map<String, String> annotations = new HashMap<>(claim.annotations());
        annotations.put(PROVISIONER, provisioner);
        annotations.put(BETA_PROVISIONER, provisioner);
        annotations.remove(DriverMigration.MIGRATED_TO);
        Claim written = binding.write(claim, claim.content(), annotations);
        binding.event(
                written,
                EventType.NORMAL,
                "ExternalProvisioning",
                "Waiting for a volume to be created either by the external provisioner '" + provisioner
                        + "' or manually by the system administrator. If volume creation is delayed, please verify "
                        + "that the provisioner is running and correctly registered.");
    }

    /** Says why a plug-in of Kubernetes makes no volume. */
    private static String withoutProvisioner(String plugin) {
        return switch (plugin) {
            case "kubernetes.io/nfs" -> "no provisionable volume plugin matched";
            case "kubernetes.io/host-path" ->
                "Failed to create provisioner: provisioning in volume plugin \"" + plugin + "\" is disabled";
            default -> "no volume plugin matched name: " + plugin;
        };
    }
}
