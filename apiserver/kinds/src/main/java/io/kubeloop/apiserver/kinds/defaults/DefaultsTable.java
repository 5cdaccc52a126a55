/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The defaults of all types. Immutable.
 *
 * <p>A table is a text. A line without indentation names a type; each indented line below it is a field with its
 * default, such as {@code dnsPolicy "ClusterFirst"}. Beside the values, a type may have a function, which runs before
 * them.
 */
final class DefaultsTable {

    private static final Map<String, Map<String, JsonValue>> VALUES = new HashMap<>();
    private static final Map<String, UnaryOperator<JsonObject>> FUNCTIONS = new HashMap<>();

    static {
        List.of(PodDefaults.VALUES, WorkloadDefaults.VALUES, ServerDefaults.VALUES, InfrastructureDefaults.VALUES)
                .forEach(DefaultsTable::read);
        List.of(
                        PodDefaults.FUNCTIONS,
                        WorkloadDefaults.FUNCTIONS,
                        ServerDefaults.FUNCTIONS,
                        InfrastructureDefaults.FUNCTIONS)
                .forEach(FUNCTIONS::putAll);
    }

    private DefaultsTable() {}

    private static void read(String table) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        for (String line : table.lines().toList()) {
            if (!line.startsWith(" ")) {
                fields = VALUES.computeIfAbsent(line, type -> new LinkedHashMap<>());
            } else {
                String[] words = line.strip().split(" ", 2);
                fields.put(words[0], JsonValue.parse(words[1]));
            }
        }
    }

    /** Returns the types that have defaults of their own. */
    static List<String> types() {
        return Stream.concat(VALUES.keySet().stream(), FUNCTIONS.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the default values of a type, by field. */
    static Map<String, JsonValue> values(String type) {
        return VALUES.getOrDefault(type, Map.of());
    }

    /** Returns the function that sets those defaults of a type that depend on other fields. */
    static UnaryOperator<JsonObject> function(String type) {
        return FUNCTIONS.getOrDefault(type, UnaryOperator.identity());
    }

    /**
     * The defaults of networks, storage, devices and priorities (upstream: {@code pkg/apis/networking/v1} and its
     * neighbors).
     */
    private static final class InfrastructureDefaults {

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
                 preventPodSchedulingIfMissing false
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

    /**
     * The defaults of the kinds that configure the API server itself (upstream: {@code
     * pkg/apis/admissionregistration/v1} and its neighbors).
     */
    private static final class ServerDefaults {

        static final String VALUES = """
                admissionregistration.v1.ValidatingWebhook
                 failurePolicy "Fail"
                 matchPolicy "Equivalent"
                 namespaceSelector {}
                 objectSelector {}
                 timeoutSeconds 10
                admissionregistration.v1.MutatingWebhook
                 failurePolicy "Fail"
                 matchPolicy "Equivalent"
                 namespaceSelector {}
                 objectSelector {}
                 timeoutSeconds 10
                 reinvocationPolicy "Never"
                admissionregistration.v1.RuleWithOperations
                 scope "*"
                admissionregistration.v1.NamedRuleWithOperations
                 scope "*"
                admissionregistration.v1.ServiceReference
                 port 443
                admissionregistration.v1.ValidatingAdmissionPolicySpec
                 failurePolicy "Fail"
                admissionregistration.v1.MutatingAdmissionPolicySpec
                 failurePolicy "Fail"
                admissionregistration.v1.MatchResources
                 matchPolicy "Equivalent"
                 namespaceSelector {}
                 objectSelector {}
                apiregistration.v1.ServiceReference
                 port 443
                flowcontrol.v1.FlowSchemaSpec
                 matchingPrecedence 1000
                flowcontrol.v1.ExemptPriorityLevelConfiguration
                 nominalConcurrencyShares 0
                 lendablePercent 0
                flowcontrol.v1.LimitedPriorityLevelConfiguration
                 nominalConcurrencyShares 30
                 lendablePercent 0
                flowcontrol.v1.QueuingConfiguration
                 handSize 8
                 queues 64
                 queueLengthLimit 50
                """;

        static final Map<String, UnaryOperator<JsonObject>> FUNCTIONS = Map.of(
                "rbac.v1.ClusterRoleBinding", ServerDefaults::binding,
                "rbac.v1.RoleBinding", ServerDefaults::binding,
                "rbac.v1.Subject", ServerDefaults::subject,
                "core.v1.LimitRangeItem", ServerDefaults::limit);

        private static final String GROUP = "rbac.authorization.k8s.io";

        private ServerDefaults() {}

        /**
         * The default limit is the maximum unless it is set; the default request is the default limit, or else the
         * minimum.
         */
        private static JsonObject limit(JsonObject item) {
            if (!item.string("type").equals("Container")) {
                return item;
            }
            JsonObject limits = item.object("max").withAll(item.object("default"));
            JsonObject requests = item.object("min").withAll(limits).withAll(item.object("defaultRequest"));
            return item.with("default", limits).with("defaultRequest", requests);
        }

        private static JsonObject binding(JsonObject binding) {
            return binding.string("roleRef", "apiGroup").isEmpty()
                    ? binding.with(List.of("roleRef", "apiGroup"), GROUP)
                    : binding;
        }

        private static JsonObject subject(JsonObject subject) {
            String kind = subject.string("kind");
            boolean isPerson = kind.equals("User") || kind.equals("Group");
            return isPerson && subject.string("apiGroup").isEmpty() ? subject.with("apiGroup", GROUP) : subject;
        }
    }
}
