/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Operator;
import io.kubeloop.api.selector.Requirement;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.eviction.Tolerations;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which nodes run pods of a set: by name, node selector, required node affinity, and taints (upstream: {@code
 * NodeShouldRunDaemonPod}). Immutable.
 */
final class NodeEligibility {

    private static final Map<String, Operator> OPERATORS = Map.of(
            "In", Operator.IN,
            "NotIn", Operator.NOT_IN,
            "Exists", Operator.EXISTS,
            "DoesNotExist", Operator.DOES_NOT_EXIST,
            "Gt", Operator.GREATER_THAN,
            "Lt", Operator.LESS_THAN);

    private final String nodeName;
    private final Selector nodeSelector;
    private final boolean hasAffinity;
    private final List<Predicate<Node>> affinity;
    private final Tolerations tolerations;

    private NodeEligibility(String nodeName, JsonObject podSpec) {
        this.nodeName = nodeName;
        nodeSelector = LabelSelectors.ofMap(podSpec.object("nodeSelector").strings());
        hasAffinity = DaemonPods.hasRequiredTerms(podSpec);
        affinity = DaemonPods.requiredTerms(podSpec)
                .objects()
                .map(NodeEligibility::term)
                .toList();
        tolerations = new Tolerations(DaemonPods.tolerations(podSpec));
    }

    /** Reads the conditions of a set's template. O(size of the template). */
    static NodeEligibility of(DaemonSet set) {
        var spec = set.spec().template().spec();
        return new NodeEligibility(spec.nodeName(), JsonObject.of(spec.unknownFields()));
    }

    /** Returns whether a pod should be created on the node. O(conditions). */
    boolean shouldRun(Node node) {
        return fits(node)
                && tolerates(
                        node,
                        taint -> taint.effect().equals(Taint.NO_SCHEDULE)
                                || taint.effect().equals(Taint.NO_EXECUTE));
    }

    /** Returns whether a pod that runs on the node may stay. O(conditions). */
    boolean shouldContinueRunning(Node node) {
        return fits(node) && tolerates(node, taint -> taint.effect().equals(Taint.NO_EXECUTE));
    }

    private boolean fits(Node node) {
        return (nodeName.isEmpty() || nodeName.equals(node.metadata().name()))
                && nodeSelector.matches(node.metadata().labels())
                && (!hasAffinity || affinity.stream().anyMatch(term -> term.test(node)));
    }

    private boolean tolerates(Node node, Predicate<Taint> matters) {
        for (Taint taint : node.spec().taints()) {
            if (matters.test(taint) && !tolerations.tolerate(taint)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the condition of one term. A term that is empty or invalid matches no node. */
    private static Predicate<Node> term(JsonObject term) {
        List<JsonObject> expressions = term.array("matchExpressions").objects().toList();
        List<JsonObject> fields = term.array("matchFields").objects().toList();
        if (expressions.isEmpty() && fields.isEmpty()) {
            return node -> false;
        }
        List<@Nullable Requirement> requirements =
                expressions.stream().map(NodeEligibility::requirement).toList();
        if (requirements.contains(null) || !fields.stream().allMatch(NodeEligibility::isValidField)) {
            return node -> false;
        }
        return node -> requirements.stream()
                        .allMatch(requirement -> requirement != null
                                && requirement.matches(node.metadata().labels()))
                && fields.stream().allMatch(field -> matches(field, node));
    }

    /** Returns the requirement of an expression; null if it is invalid. */
    private static @Nullable Requirement requirement(JsonObject expression) {
        Operator operator = OPERATORS.get(expression.string("operator"));
        try {
            return operator == null
                    ? null
                    : Requirement.of(
                            expression.string("key"),
                            operator,
                            expression.array("values").strings().toList());
        } catch (InvalidSelectorException e) {
            return null;
        }
    }

    private static boolean isValidField(JsonObject field) {
        String operator = field.string("operator");
        return field.array("values").size() == 1 && (operator.equals("In") || operator.equals("NotIn"));
    }

    /** The name is the only field of a node; any other is the empty text. */
    private static boolean matches(JsonObject field, Node node) {
        String actual =
                field.string("key").equals("metadata.name") ? node.metadata().name() : "";
        boolean isEqual = field.array("values").strings().anyMatch(actual::equals);
        return field.string("operator").equals("In") == isEqual;
    }
}
