/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/**
 * A query over labels (upstream: {@code metav1.LabelSelector}). An object must fulfill all parts. A selector without
 * parts selects every object.
 *
 * @param matchLabels labels and the values they must have
 * @param matchExpressions further requirements
 * @param unknownFields all other fields
 */
@RecordBuilder
public record LabelSelector(
        Map<String, String> matchLabels, List<LabelSelectorRequirement> matchExpressions, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final LabelSelector EMPTY = LabelSelectorBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public LabelSelector {
        matchLabels = Values.orEmpty(matchLabels);
        matchExpressions = Values.orEmpty(matchExpressions);
        unknownFields = Values.orNone(unknownFields);
    }
}
