/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sets the class of new objects that specify none: the class with a certain annotation, of several the newest
 * (upstream: the plug-ins {@code DefaultStorageClass} and {@code DefaultIngressClass}). Thread-safe.
 *
 * @param resource the resource of the objects
 * @param field the field of the {@code spec} that names the class
 * @param older an annotation of the objects that may name the class instead
 * @param classes the store of the classes
 * @param marks the annotations of classes, of which one has the value {@code true} in a default class
 */
record DefaultClass(String resource, String field, String older, ResourceStore classes, List<String> marks)
        implements AdmissionPlugin {

    static DefaultClass ofClaims(ResourceStore classes) {
        return new DefaultClass(
                "persistentvolumeclaims",
                "storageClassName",
                "volume.beta.kubernetes.io/storage-class",
                classes,
                List.of(
                        "storageclass.kubernetes.io/is-default-class",
                        "storageclass.beta.kubernetes.io/is-default-class"));
    }

    static DefaultClass ofIngresses(ResourceStore classes) {
        return new DefaultClass(
                "ingresses.networking.k8s.io",
                "ingressClassName",
                "kubernetes.io/ingress.class",
                classes,
                List.of("ingressclass.kubernetes.io/is-default-class"));
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        if (!Targets.creates(request, resource)
                || object.get("spec", field) != null
                || object.get("metadata", "annotations", older) != null) {
            return object;
        }
        JsonObject newest = null;
        for (StoredObject stored : classes.objects(request.now(), "")) {
            if (isDefault(stored.tree()) && isNewer(stored.tree(), newest)) {
                newest = stored.tree();
            }
        }
        return newest == null ? object : object.with(List.of("spec", field), Meta.name(newest));
    }

    private boolean isDefault(JsonObject candidate) {
        return marks.stream()
                .anyMatch(mark ->
                        candidate.string("metadata", "annotations", mark).equals("true"));
    }

    /** Of classes of the same second, the first name counts, which is the order in which the store lists them. */
    private static boolean isNewer(JsonObject candidate, @Nullable JsonObject newest) {
        return newest == null
                || Meta.text(candidate, "creationTimestamp").compareTo(Meta.text(newest, "creationTimestamp")) > 0;
    }
}
