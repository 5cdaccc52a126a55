/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The defaults of the kinds that configure the API server itself (upstream: {@code pkg/apis/admissionregistration/v1}
 * and its neighbors).
 */
final class ServerDefaults {

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
     * The default limit is the maximum unless it is set; the default request is the default limit, or else the minimum.
     */
    private static JsonObject limit(JsonObject item) {
        if (!item.string("type").equals("Container")) {
            return item;
        }
        JsonObject limits = merged(item.object("max"), item.object("default"));
        JsonObject requests = merged(merged(item.object("min"), limits), item.object("defaultRequest"));
        return item.with("default", limits).with("defaultRequest", requests);
    }

    private static JsonObject merged(JsonObject less, JsonObject more) {
        JsonObject result = less;
        for (Map.Entry<String, JsonValue> amount : more.members().entrySet()) {
            result = result.with(amount.getKey(), amount.getValue());
        }
        return result;
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
