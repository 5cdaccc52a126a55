/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets pods stay on a node for five minutes after it became unready or unreachable, unless they specify another time
 * (upstream: the plug-in {@code DefaultTolerationSeconds}). Stateless; thread-safe.
 */
final class EvictionTolerations implements AdmissionPlugin {

    private static final String EFFECT = "NoExecute";
    private static final List<String> TAINTS =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    private static final long SECONDS = 300;

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        if (!Targets.writes(request, "pods")) {
            return object;
        }
        List<JsonObject> specified =
                object.array("spec", "tolerations").objects().toList();
        List<JsonObject> tolerations = new ArrayList<>(specified);
        for (String taint : TAINTS) {
            if (specified.stream().noneMatch(toleration -> concerns(toleration, taint))) {
                tolerations.add(JsonObject.EMPTY
                        .with("key", taint)
                        .with("operator", "Exists")
                        .with("effect", EFFECT)
                        .with("tolerationSeconds", SECONDS));
            }
        }
        return tolerations.size() == specified.size()
                ? object
                : object.with(List.of("spec", "tolerations"), JsonArray.of(tolerations));
    }

    /** An empty key or effect means any. */
    private static boolean concerns(JsonObject toleration, String taint) {
        String key = toleration.string("key");
        String effect = toleration.string("effect");
        return (key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals(EFFECT));
    }
}
