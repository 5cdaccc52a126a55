/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashSet;
import java.util.Set;

/**
 * The names of the secrets that a pod uses: in volumes, in the environment and to pull images (upstream: {@code
 * VisitPodSecretNames}). Stateless.
 */
final class PodSecretNames {

    /** The members whose object names a secret. */
    private static final Set<String> REFERENCES = Set.of("secretRef", "secretKeyRef", "nodePublishSecretRef", "secret");

    private PodSecretNames() {}

    /** Adds the names of a pod. Encodes the pod. */
    static void addTo(Set<String> names, Pod pod) {
        JsonObject spec = JsonObject.parse(JsonCodec.standard().encode(ResourceTypes.PODS, pod))
                .object("spec");
        spec.array("imagePullSecrets").objects().forEach(secret -> names.add(secret.string("name")));
        visit(names, spec);
        names.remove("");
    }

    /** Returns the names of the secrets that pods use. */
    static Set<String> of(Iterable<Pod> pods) {
        Set<String> names = new HashSet<>();
        pods.forEach(pod -> addTo(names, pod));
        return names;
    }

    private static void visit(Set<String> names, JsonValue value) {
        if (value instanceof JsonObject object) {
            object.members().forEach((member, inner) -> {
                if (REFERENCES.contains(member) && inner instanceof JsonObject reference) {
                    names.add(reference.string("name"));
                }
                visit(names, inner);
            });
            names.add(object.string("secretName"));
        } else if (value instanceof JsonArray array) {
            array.elements().forEach(item -> visit(names, item));
        }
    }
}
