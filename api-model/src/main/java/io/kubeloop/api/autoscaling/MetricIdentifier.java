/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.autoscaling;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.selector.LabelSelector;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The name of a metric with a selection of its series (upstream: {@code autoscaling/v2.MetricIdentifier}).
 *
 * @param name the metric's name
 * @param selector the series; null for no restriction
 * @param unknownFields all other fields
 */
@RecordBuilder
public record MetricIdentifier(String name, @Nullable LabelSelector selector, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final MetricIdentifier EMPTY =
            MetricIdentifierBuilder.builder().build();

    /** Null means the zero value. */
    public MetricIdentifier {
        name = Values.orEmpty(name);
        unknownFields = Values.orNone(unknownFields);
    }
}
