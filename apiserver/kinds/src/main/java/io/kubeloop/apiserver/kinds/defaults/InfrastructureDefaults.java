/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The defaults of networks, storage, devices and priorities (upstream: {@code pkg/apis/networking/v1} and its
 * neighbors).
 */
final class InfrastructureDefaults {

    static final String VALUES = """
            networking.v1.NetworkPolicyPort
             protocol "TCP"
            networking.v1.IngressClassParametersReference
             scope "Cluster"
            discovery.v1.EndpointPort
             name ""
             protocol "TCP"
            storage.v1.StorageClass
             reclaimPolicy "Delete"
             volumeBindingMode "Immediate"
            storage.v1.CSIDriverSpec
             attachRequired true
             podInfoOnMount false
             storageCapacity false
             fsGroupPolicy "ReadWriteOnceWithFSType"
             volumeLifecycleModes ["Persistent"]
             requiresRepublish false
             seLinuxMount false
            scheduling.v1.PriorityClass
             preemptionPolicy "PreemptLowerPriority"
            """;

    static final Map<String, UnaryOperator<JsonObject>> FUNCTIONS = Map.of(
            "core.v1.PersistentVolume", InfrastructureDefaults::volume,
            "networking.v1.NetworkPolicySpec", InfrastructureDefaults::policyTypes,
            "resource.v1.ExactDeviceRequest", InfrastructureDefaults::deviceRequest,
            "resource.v1.DeviceSubRequest", InfrastructureDefaults::deviceRequest);

    private InfrastructureDefaults() {}

    /** A policy without types applies to ingress, and also to egress if it has egress rules. */
    private static JsonObject policyTypes(JsonObject spec) {
        if (!spec.array("policyTypes").isEmpty()) {
            return spec;
        }
        List<String> types = spec.array("egress").isEmpty() ? List.of("Ingress") : List.of("Ingress", "Egress");
        return spec.with("policyTypes", JsonArray.ofStrings(types));
    }

    /** These are defaults of a volume only, not of the spec of a volume in a volume attachment. */
    private static JsonObject volume(JsonObject volume) {
        JsonObject spec = volume.object("spec");
        if (spec.string("persistentVolumeReclaimPolicy").isEmpty()) {
            spec = spec.with("persistentVolumeReclaimPolicy", "Retain");
        }
        JsonValue mode = spec.get("volumeMode");
        if (mode == null || mode == JsonNull.NULL) {
            spec = spec.with("volumeMode", "Filesystem");
        }
        return volume.with("spec", spec);
    }

    private static JsonObject deviceRequest(JsonObject request) {
        String exactly = "ExactCount";
        JsonObject result = request.has("allocationMode") ? request : request.with("allocationMode", exactly);
        return result.string("allocationMode").equals(exactly) && !result.has("count")
                ? result.with("count", 1)
                : result;
    }
}
