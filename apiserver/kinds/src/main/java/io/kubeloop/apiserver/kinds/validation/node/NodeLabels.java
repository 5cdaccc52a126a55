/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.node;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The labels of nodes that are deprecated, and the warnings about selectors that use them (upstream: {@code
 * pkg/api/node}).
 */
public final class NodeLabels {

    private static final Map<String, String> DEPRECATED = Map.of(
            "beta.kubernetes.io/arch",
            "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
            "beta.kubernetes.io/os",
            "deprecated since v1.14; use \"kubernetes.io/os\" instead",
            "failure-domain.beta.kubernetes.io/region",
            "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
            "failure-domain.beta.kubernetes.io/zone",
            "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
            "beta.kubernetes.io/instance-type",
            "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
            "app.kubernetes.io/created-by",
            "deprecated since v1.9",
            "scheduler.alpha.kubernetes.io/preferAvoidPods",
            "deprecated since v1.22; use Taints and Tolerations instead",
            "node-role.kubernetes.io/master",
            "use \"node-role.kubernetes.io/control-plane\" instead");

    private NodeLabels() {}

    /** Returns the deprecation of a label; null if it is not deprecated. */
    public static @Nullable String deprecation(String label) {
        return DEPRECATED.get(label);
    }

    /** Returns the warnings about a label selector that selects nodes. */
    public static List<String> selectorWarnings(FieldCursor selector) {
        List<String> warnings = new ArrayList<>(expressionWarnings(selector, false));
        for (String label : selector.at("matchLabels").object().members().keySet()) {
            String deprecation = deprecation(label);
            if (deprecation != null) {
                warnings.add(selector.at("matchLabels", label).path() + ": " + deprecation);
            }
        }
        return warnings;
    }

    /**
     * Returns the warnings about the match expressions of a selector of nodes.
     *
     * @param checksValues whether to include values that labels cannot have
     */
    public static List<String> expressionWarnings(FieldCursor term, boolean checksValues) {
        List<String> warnings = new ArrayList<>();
        term.at("matchExpressions").each(expression -> {
            FieldCursor key = expression.at("key");
            String deprecation = deprecation(key.text());
            if (deprecation != null) {
                warnings.add(key.path() + ": " + key.text() + " is " + deprecation);
            }
            if (checksValues) {
                expression
                        .at("values")
                        .each(value -> NameValidation.labelValue(value.text())
                                .forEach(problem ->
                                        warnings.add(value.path() + ": " + value.text() + " is invalid, " + problem)));
            }
        });
        return warnings;
    }
}
