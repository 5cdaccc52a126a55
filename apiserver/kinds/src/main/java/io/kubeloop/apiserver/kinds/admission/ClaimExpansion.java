/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.api.Quantity;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.usage.Amounts;

/**
 * Allows larger requests only for bound claims whose storage class allows expansion (upstream: the plug-in {@code
 * PersistentVolumeClaimResize}). Thread-safe.
 */
final class ClaimExpansion implements AdmissionPlugin {

    private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

    private final ResourceStore classes;

    ClaimExpansion(ResourceStore classes) {
        this.classes = classes;
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        JsonObject old = request.old();
        if (old == null
                || !Targets.writes(request, "persistentvolumeclaims")
                || storage(object).compareTo(storage(old)) <= 0) {
            return;
        }
        if (!old.string("status", "phase").equals("Bound")) {
            throw request.forbidden("Only bound persistent volume claims can be expanded");
        }
        String name = className(object);
        StoredObject found = name.equals(className(old)) ? request.now().get(classes.bucket(), name) : null;
        if (found == null || !found.tree().bool("allowVolumeExpansion")) {
            throw request.forbidden("only dynamically provisioned pvc can be resized and the storageclass that"
                    + " provisions the pvc must support resize");
        }
    }

    private static Quantity storage(JsonObject claim) {
        return Amounts.read(claim.object("spec", "resources", "requests"))
                .byName()
                .getOrDefault("storage", Quantity.ZERO);
    }

    private static String className(JsonObject claim) {
        return claim.get("metadata", "annotations", BETA_CLASS) == null
                ? claim.string("spec", "storageClassName")
                : claim.string("metadata", "annotations", BETA_CLASS);
    }
}
