/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Taints new nodes as not ready, so that no pod is scheduled to them before their first report (upstream: the plug-in
 * {@code TaintNodesByCondition}). The node lifecycle controller removes the taint. Stateless; thread-safe.
 */
final class NotReadyTaint implements AdmissionPlugin {

    private static final JsonObject TAINT =
            JsonObject.EMPTY.with("key", "node.kubernetes.io/not-ready").with("effect", "NoSchedule");

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        if (!Targets.creates(request, "nodes")) {
            return object;
        }
        List<JsonObject> taints =
                new ArrayList<>(object.array("spec", "taints").objects().toList());
        if (taints.stream().anyMatch(NotReadyTaint::matches)) {
            return object;
        }
        taints.add(TAINT);
        return object.with(List.of("spec", "taints"), JsonArray.of(taints));
    }

    /** A taint is identified by its key and its effect. */
    private static boolean matches(JsonObject taint) {
        return taint.string("key").equals(TAINT.string("key"))
                && taint.string("effect").equals(TAINT.string("effect"));
    }
}
