/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of the fields of a pod by which a scheduler selects a node: tolerations, affinity and spreading. */
public final class SchedulingRules {

    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final List<String> ACTIONS = List.of("DoNotSchedule", "ScheduleAnyway");
    private static final List<String> INCLUSION = List.of("Honor", "Ignore");
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final String WEIGHT = "must be in the range 1-100";

    private SchedulingRules() {}

    /** Validates the tolerations of a pod. */
    public static void toleration(FieldCursor toleration) {
        FieldCursor key = toleration.at("key");
        FieldCursor operator = toleration.at("operator");
        FieldCursor effect = toleration.at("effect");
        key.followsIfSet(NameValidation::qualifiedName);
        if (key.isEmpty() && !operator.text().equals("Exists")) {
            operator.holdingText()
                    .invalid("operator must be Exists when `key` is empty, which means \"match all values and all "
                            + "keys\"");
        }
        if (toleration.at("tolerationSeconds").isSet() && !effect.text().equals("NoExecute")) {
            effect.holdingText().invalid("effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        FieldCursor value =
                operator.holding(new JsonString(toleration.at("value").text()));
        switch (operator.text()) {
            case "Equal", "" -> {
                List<String> problems = NameValidation.labelValue(value.text());
                if (!problems.isEmpty()) {
                    value.invalid(String.join(";", problems));
                }
            }
            case "Exists" -> {
                if (!value.isEmpty()) {
                    value.invalid("value must be empty when `operator` is 'Exists'");
                }
            }
            case "Lt", "Gt" -> operator.notSupported(List.of("Equal", "Exists", "Lt", "Gt"));
            default -> operator.notSupported(List.of("Equal", "Exists"));
        }
        if (!effect.isEmpty()) {
            effect.oneOf(EFFECTS);
        }
    }

    /** Validates the affinity of a pod. */
    static void affinity(FieldCursor affinity) {
        FieldCursor node = affinity.at("nodeAffinity");
        node.at(REQUIRED).ifSet(SchedulingRules::nodeSelector);
        node.at(PREFERRED).each(term -> {
            weight(term.at("weight"));
            nodeTerm(term.at("preference"), false);
        });
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            affinity.at(kind, REQUIRED).each(SchedulingRules::podTerm);
            affinity.at(kind, PREFERRED).each(term -> {
                weight(term.at("weight"));
                podTerm(term.at("podAffinityTerm"));
            });
        }
    }

    private static void weight(FieldCursor weight) {
        if (weight.number() <= 0 || weight.number() > 100) {
            weight.holdingNumber().invalid(WEIGHT);
        }
    }

    /** Validates a selector of nodes, such as that of a volume. */
    public static void nodeSelector(FieldCursor selector) {
        FieldCursor terms = selector.at("nodeSelectorTerms");
        if (terms.require("must have at least one node selector term")) {
            terms.each(term -> nodeTerm(term, true));
        }
    }

    private static void nodeTerm(FieldCursor term, boolean checksValues) {
        term.at("matchExpressions").each(expression -> nodeExpression(expression, checksValues));
        term.at("matchFields").each(SchedulingRules::nodeField);
    }

    private static void nodeExpression(FieldCursor expression, boolean checksValues) {
        FieldCursor values = expression.at("values");
        switch (expression.at("operator").text()) {
            case "In", "NotIn" -> values.require("must be specified when `operator` is 'In' or 'NotIn'");
            case "Exists", "DoesNotExist" ->
                values.mustBeEmpty("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
            case "Gt", "Lt" -> {
                if (values.array().size() != 1) {
                    values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
                }
            }
            default -> expression.at("operator").holdingText().invalid("not a valid selector operator");
        }
        SelectorRules.key(expression.at("key"));
        if (checksValues) {
            values.each(value -> value.follows(NameValidation::labelValue));
        }
    }

    private static void nodeField(FieldCursor requirement) {
        FieldCursor values = requirement.at("values");
        switch (requirement.at("operator").text()) {
            case "In", "NotIn" -> {
                if (values.array().size() != 1) {
                    values.required(
                            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
                }
            }
            default -> requirement.at("operator").holdingText().invalid("not a valid selector operator");
        }
        if (requirement.at("key").text().equals("metadata.name")) {
            values.each(value -> value.follows(NameValidation::dns1123Subdomain));
        } else {
            requirement.at("key").holdingText().invalid("not a valid field selector key");
        }
    }

    private static void podTerm(FieldCursor term) {
        SelectorRules.selector(term.at("labelSelector"));
        SelectorRules.selector(term.at("namespaceSelector"));
        term.at("namespaces")
                .each(name -> name.named(term.path() + ".namespace").follows(NameValidation::dns1123Label));
        labelKeys(term);
        FieldCursor topology = term.at("topologyKey");
        topology.require("can not be empty");
        SelectorRules.key(topology);
    }

    private static void labelKeys(FieldCursor holder) {
        FieldCursor matching = holder.at("matchLabelKeys");
        FieldCursor mismatching = holder.at("mismatchLabelKeys");
        FieldCursor selector = holder.at("labelSelector");
        for (FieldCursor list : List.of(matching, mismatching)) {
            if (selector.isSet()) {
                list.each(SelectorRules::key);
            } else if (!list.isEmpty()) {
                list.forbidden("must not be specified when labelSelector is not set");
            }
        }
        Map<JsonValue, Integer> lastIndices = new HashMap<>();
        List<JsonValue> keys = matching.array().elements();
        for (int i = 0; i < keys.size(); i++) {
            lastIndices.put(keys.get(i), i);
        }
        Set<String> selected =
                new HashSet<>(selector.at("matchLabels").object().members().keySet());
        selector.at("matchExpressions").each(expression -> {
            String key = expression.at("key").text();
            Integer index = lastIndices.get(new JsonString(key));
            if (!selected.add(key) && index != null) {
                holder.errors()
                        .invalid(
                                holder.path() + "[" + index + "]",
                                key,
                                "exists in both matchLabelKeys and labelSelector");
            }
        });
        Set<JsonValue> mismatched = new HashSet<>(mismatching.array().elements());
        matching.each(key -> {
            if (mismatched.contains(key.value())) {
                key.invalid("exists in both matchLabelKeys and mismatchLabelKeys");
            }
        });
    }

    /** Validates how pods spread over a topology. */
    static void spreading(FieldCursor constraints) {
        List<FieldCursor> items = constraints.items();
        Set<String> later = new HashSet<>();
        BitSet repeated = new BitSet();
        for (int i = items.size() - 1; i >= 0; i--) {
            repeated.set(i, !later.add(identity(items.get(i))));
        }
        for (int i = 0; i < items.size(); i++) {
            constraint(items.get(i), repeated.get(i));
        }
    }

    private static String identity(FieldCursor constraint) {
        return "{" + constraint.at("topologyKey").text() + ", "
                + constraint.at("whenUnsatisfiable").text() + "}";
    }

    private static void constraint(FieldCursor constraint, boolean repeated) {
        constraint.at("maxSkew").holdingNumber().positive();
        constraint.at("topologyKey").require("can not be empty");
        FieldCursor action = constraint.at("whenUnsatisfiable");
        action.oneOf(ACTIONS);
        if (repeated) {
            constraint
                    .at("{topologyKey, whenUnsatisfiable}")
                    .holding(new JsonString(identity(constraint)))
                    .duplicate();
        }
        constraint.at("minDomains").ifSet(domains -> {
            domains.positive();
            if (!action.text().equals("DoNotSchedule")) {
                domains.invalid("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action.text());
            }
        });
        constraint.at("nodeAffinityPolicy").oneOfIfSet(INCLUSION);
        constraint.at("nodeTaintsPolicy").oneOfIfSet(INCLUSION);
        labelKeys(constraint);
        SelectorRules.selector(constraint.at("labelSelector"));
    }
}
