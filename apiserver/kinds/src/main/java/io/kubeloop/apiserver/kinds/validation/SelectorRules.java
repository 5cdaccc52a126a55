/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.LabelSelectorTrees;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Validation of label selectors and of lists of labels (upstream: {@code apimachinery/pkg/apis/meta/v1/validation}).
 */
public final class SelectorRules {

    private SelectorRules() {}

    /** Validates a map of labels. */
    public static void labels(FieldCursor labels) {
        MetaValidation.labels(labels.path(), labels.object(), labels.errors());
    }

    /** Validates the key of a label. */
    public static void key(FieldCursor key) {
        key.follows(NameValidation::qualifiedName);
    }

    /** Validates a label selector, which may be absent. */
    public static void selector(FieldCursor selector) {
        if (!selector.isSet()) {
            return;
        }
        labels(selector.at("matchLabels"));
        selector.at("matchExpressions").each(expression -> expression(expression, false));
    }

    /**
     * Validates a requirement.
     *
     * @param anyOperator whether the operator can be one of a later release
     */
    public static void expression(FieldCursor expression, boolean anyOperator) {
        values(expression, anyOperator);
        key(expression.at("key"));
        expression.at("values").each(value -> value.follows(NameValidation::labelValue));
    }

    /** Validates the operator of a requirement, and whether it has values. */
    public static void values(FieldCursor expression, boolean anyOperator) {
        FieldCursor values = expression.at("values");
        switch (expression.at("operator").text()) {
            case "In", "NotIn" -> values.require("must be specified when `operator` is 'In' or 'NotIn'");
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default -> {
                if (!anyOperator) {
                    expression.at("operator").holdingText().invalid("not a valid selector operator");
                }
            }
        }
    }

    /** Returns the selector that a label selector describes: nothing if it is absent, null if it is invalid. */
    public static @Nullable Selector read(FieldCursor selector) {
        if (!selector.isSet()) {
            return Selector.NOTHING;
        }
        try {
            return LabelSelectorTrees.read(selector.object());
        } catch (InvalidSelectorException e) {
            return null;
        }
    }

    /** Returns the selector of objects that have all these labels. */
    public static Selector ofMap(FieldCursor labels) {
        return LabelSelectors.ofMap(labels.object().strings());
    }

    /** Adds an error unless a selector matches the labels of a template; an empty selector is not checked. */
    public static void matches(Selector selector, FieldCursor template) {
        FieldCursor labels = template.at("metadata", "labels");
        if (!selector.matches(labels.object().strings())) {
            // Go sorts the keys of a map.
            JsonObject sorted = JsonObject.of(new TreeMap<>(labels.object().members()));
            (sorted.isEmpty() ? labels : labels.holding(sorted)).invalid("`selector` does not match template `labels`");
        }
    }

    /** Returns whether a label selector has no requirement. */
    public static boolean isEmpty(JsonObject selector) {
        return selector.object("matchLabels").isEmpty()
                && selector.array("matchExpressions").isEmpty();
    }
}
