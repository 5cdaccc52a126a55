/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * One requirement of a label selector (upstream: {@code metav1.LabelSelectorRequirement}).
 *
 * @param key the label
 * @param operator {@code In}, {@code NotIn}, {@code Exists} or {@code DoesNotExist}
 * @param values the values to compare with: at least one for {@code In} and {@code NotIn}, none for the others
 * @param unknownFields all other fields
 */
@RecordBuilder
public record LabelSelectorRequirement(String key, String operator, List<String> values, UnknownFields unknownFields) {

    /** Copies the collections; null means the zero value. */
    public LabelSelectorRequirement {
        key = Values.orEmpty(key);
        operator = Values.orEmpty(operator);
        values = Values.orEmpty(values);
        unknownFields = Values.orNone(unknownFields);
    }
}
