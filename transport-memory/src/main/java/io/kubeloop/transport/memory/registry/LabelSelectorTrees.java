package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.LabelSelector;
import io.kubeloop.api.LabelSelectorRequirement;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** Reads selectors out of objects. */
final class LabelSelectorTrees {

    private LabelSelectorTrees() {}

    /**
     * Reads a selector with {@code matchLabels} and {@code matchExpressions}.
     *
     * @throws io.kubeloop.api.selector.InvalidSelectorException if it makes no sense
     */
    static Selector read(JsonObject selector) {
        List<LabelSelectorRequirement> expressions = selector.array("matchExpressions")
                .objects()
                .map(expression -> new LabelSelectorRequirement(
                        expression.string("key"),
                        expression.string("operator"),
                        expression.array("values").strings().toList(),
                        UnknownFields.NONE))
                .toList();
        return LabelSelectors.of(new LabelSelector(
                PodTemplateRules.strings(selector.object("matchLabels")), expressions, UnknownFields.NONE));
    }

    /** Reads the selector of something that makes pods, which must have one, and one that does not select everything. */
    static Selector required(JsonObject spec, FieldErrors errors) {
        if (!spec.has("selector")) {
            errors.required("spec.selector", "");
            return Selector.NOTHING;
        }
        try {
            Selector selector = read(spec.object("selector"));
            if (selector.isEmpty()) {
                errors.invalid("spec.selector", spec.object("selector"), "empty selector is invalid for deployment");
            }
            return selector;
        } catch (InvalidSelectorException e) {
            errors.invalid("spec.selector", spec.object("selector"), String.valueOf(e.getMessage()));
            return Selector.EVERYTHING;
        }
    }

    /** Whose pods are whose is settled at creation. */
    static void requireSame(JsonObject object, JsonObject old, FieldErrors errors) {
        JsonObject selector = object.object("spec", "selector");
        if (!selector.equals(old.object("spec", "selector"))) {
            errors.invalid("spec.selector", selector, "field is immutable");
        }
    }
}
