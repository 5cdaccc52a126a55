/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectorRequirement;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import java.util.List;

/** Reads label selectors from trees. Stateless. */
public final class LabelSelectorTrees {

    private LabelSelectorTrees() {}

    /**
     * Reads a selector with {@code matchLabels} and {@code matchExpressions}; without both, it selects every object.
     * Values that are no strings count as absent.
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
                new LabelSelector(selector.object("matchLabels").strings(), expressions, UnknownFields.NONE));
    }
}
