/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;

/**
 * Copies the zone and the region of a node into the labels of the pods that are bound to it (upstream: the plug-in
 * {@code PodTopologyLabels}). Thread-safe.
 */
final class TopologyLabels implements AdmissionPlugin {

    private static final List<String> LABELS = List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

    private final ResourceStore nodes;

    TopologyLabels(ResourceStore nodes) {
        this.nodes = nodes;
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        boolean binds = request.store().resource().toString().equals("pods")
                && (request.isMain()
                        ? request.operation() == Operation.CREATE
                        : request.subresource().equals("binding"));
        String name = object.string("spec", "nodeName");
        StoredObject node = binds && !name.isEmpty() ? request.now().get(nodes.bucket(), name) : null;
        if (node == null) {
            return object;
        }
        JsonObject labelled = object;
        for (String label : LABELS) {
            JsonValue value = node.tree().get("metadata", "labels", label);
            labelled = value == null ? labelled : labelled.with(List.of("metadata", "labels", label), value);
        }
        return labelled;
    }
}
