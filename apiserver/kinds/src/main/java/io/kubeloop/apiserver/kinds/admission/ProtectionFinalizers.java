/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Adds a finalizer to new volumes, claims and their attribute classes, which keeps them while they are in use
 * (upstream: the plug-in {@code StorageObjectInUseProtection}). The protection controllers remove it. Stateless;
 * thread-safe.
 */
final class ProtectionFinalizers implements AdmissionPlugin {

    private static final Map<String, String> BY_RESOURCE = Map.of(
            "persistentvolumes", "kubernetes.io/pv-protection",
            "persistentvolumeclaims", "kubernetes.io/pvc-protection",
            "volumeattributesclasses.storage.k8s.io", "kubernetes.io/vac-protection");

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        String resource = request.store().resource().toString();
        String finalizer = Targets.creates(request, resource) ? BY_RESOURCE.get(resource) : null;
        List<String> finalizers = new ArrayList<>(Meta.finalizers(object));
        if (finalizer == null || finalizers.contains(finalizer)) {
            return object;
        }
        finalizers.add(finalizer);
        return Meta.withFinalizers(object, finalizers);
    }
}
