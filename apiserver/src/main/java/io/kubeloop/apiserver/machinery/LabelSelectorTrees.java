package io.kubeloop.apiserver.machinery;

import io.kubeloop.api.LabelSelector;
import io.kubeloop.api.LabelSelectorRequirement;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** Reads label selectors from object trees. */
public final class LabelSelectorTrees {

    private LabelSelectorTrees() {}

    /**
     * Reads a selector with {@code matchLabels} and {@code matchExpressions}.
     *
     * @throws io.kubeloop.api.selector.InvalidSelectorException if it is invalid
     */
    public static Selector read(JsonObject selector) {
        List<LabelSelectorRequirement> expressions = selector.array("matchExpressions")
                .objects()
                .map(expression -> new LabelSelectorRequirement(
                        expression.string("key"),
                        expression.string("operator"),
                        expression.array("values").strings().toList(),
                        UnknownFields.NONE))
                .toList();
        return LabelSelectors.of(
                new LabelSelector(Meta.strings(selector.object("matchLabels")), expressions, UnknownFields.NONE));
    }
}
