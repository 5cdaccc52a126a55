/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.node;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AmountRules;
import io.kubeloop.apiserver.kinds.validation.DeclaredFormats;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.SchedulingRules;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validation of runtime classes and priority classes (upstream: {@code pkg/apis/node} and {@code pkg/apis/scheduling}).
 */
public final class RuntimeRules {

    private static final String SYSTEM_PREFIX = "system-";
    private static final String CLUSTER_CRITICAL = "system-cluster-critical";
    private static final String NODE_CRITICAL = "system-node-critical";
    private static final long MAX_VALUE = 1_000_000_000;

    private RuntimeRules() {}

    /** Validates a runtime class. */
    public static void runtimeClass(FieldCursor runtime) {
        DeclaredFormats.requireShortName(runtime.at("handler"));
        FieldCursor overhead = runtime.at("overhead");
        AmountRules.ofContainer(
                overhead.holding(
                        JsonObject.EMPTY.with("limits", overhead.at("podFixed").object())),
                Set.of());
        FieldCursor scheduling = runtime.at("scheduling");
        SelectorRules.labels(scheduling.at("nodeSelector"));
        FieldCursor tolerations = scheduling.at("tolerations");
        tolerations.each(SchedulingRules::toleration);
        Set<JsonObject> seen = new HashSet<>();
        tolerations.each(toleration -> {
            if (!seen.add(toleration.object().without("tolerationSeconds"))) {
                InternalForm.shown("core.v1.Toleration", toleration).duplicate();
            }
        });
    }

    /** Validates a change of a runtime class. */
    public static void runtimeClassUpdate(FieldCursor runtime, FieldCursor old) {
        runtime.at("handler").unchanged(old.at("handler"));
    }

    /** Returns the warnings about a runtime class. */
    public static List<String> runtimeClassWarnings(FieldCursor runtime) {
        List<String> warnings = new ArrayList<>();
        for (String label :
                runtime.at("scheduling", "nodeSelector").object().members().keySet()) {
            String deprecation = NodeLabels.deprecation(label);
            if (deprecation != null) {
                warnings.add("scheduling.nodeSelector: " + deprecation);
            }
        }
        return warnings;
    }

    /** Validates a priority class. */
    public static void priorityClass(FieldCursor priority) {
        FieldCursor name = priority.at("metadata", "name");
        FieldCursor value = priority.at("value");
        if (name.text().startsWith(SYSTEM_PREFIX)) {
            String problem = systemProblem(name.text(), value.number(), priority.at("globalDefault"));
            if (!problem.isEmpty()) {
                name.forbidden("priority class names with '" + SYSTEM_PREFIX
                        + "' prefix are reserved for system use only. error: " + problem);
            }
        } else if (value.number() > MAX_VALUE) {
            value.forbidden("maximum allowed value of a user defined priority is " + MAX_VALUE);
        }
        FieldCursor policy = priority.at("preemptionPolicy");
        if (policy.isSet()) {
            policy.requireOneOf(List.of("PreemptLowerPriority", "Never"));
        }
    }

    private static String systemProblem(String name, long value, FieldCursor globalDefault) {
        if (!name.equals(CLUSTER_CRITICAL) && !name.equals(NODE_CRITICAL)) {
            return name + " is not a known system priority class";
        }
        long known = 2 * MAX_VALUE + (name.equals(NODE_CRITICAL) ? 1000 : 0);
        if (value != known) {
            return "value of " + name + " PriorityClass must be " + known;
        }
        return globalDefault.isTrue() ? "globalDefault of " + name + " PriorityClass must be false" : "";
    }

    /** Validates a change of a priority class. */
    public static void priorityClassUpdate(FieldCursor priority, FieldCursor old) {
        if (priority.at("value").number() != old.at("value").number()) {
            priority.at("value").forbidden("may not be changed in an update.");
        }
        priority.at("preemptionPolicy").immutable(old.at("preemptionPolicy"));
    }
}
