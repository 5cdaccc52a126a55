/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.autoscaling;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The last value of a metric (upstream: {@code autoscaling/v2.MetricStatus}). The member that the type names is set.
 *
 * @param type the type of the metric; empty if it had no value
 * @param object the value of type {@code Object}
 * @param pods the value of type {@code Pods}
 * @param resource the value of type {@code Resource}
 * @param containerResource the value of type {@code ContainerResource}
 * @param external the value of type {@code External}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record MetricStatus(
        String type,
        @Nullable Source object,
        @Nullable Source pods,
        @Nullable Source resource,
        @Nullable Source containerResource,
        @Nullable Source external,
        UnknownFields unknownFields) {

    /** The status of a metric without a value. */
    public static final MetricStatus EMPTY = MetricStatusBuilder.builder().build();

    /** Null means the zero value. */
    public MetricStatus {
        type = Values.orEmpty(type);
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * The source of a metric and its value, of any type.
     *
     * @param metric the metric, of types other than the resource metrics
     * @param name the resource, of a resource metric
     * @param container the container, of type {@code ContainerResource}
     * @param current the value
     * @param describedObject the object that has the metric, of type {@code Object}
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Source(
            @Nullable MetricIdentifier metric,
            String name,
            String container,
            Value current,
            @Nullable CrossVersionObjectReference describedObject,
            UnknownFields unknownFields) {

        /** Null means the zero value. */
        public Source {
            name = Values.orEmpty(name);
            container = Values.orEmpty(container);
            current = current == null ? Value.EMPTY : current;
            unknownFields = Values.orNone(unknownFields);
        }
    }

    /**
     * A value of a metric (upstream: {@code MetricValueStatus}).
     *
     * @param value the total, as a quantity
     * @param averageValue the average of the pods, as a quantity
     * @param averageUtilization the usage in percent of the requests
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Value(
            String value, String averageValue, @Nullable Integer averageUtilization, UnknownFields unknownFields) {

        /** Every field absent. */
        public static final Value EMPTY = new Value("", "", null, UnknownFields.NONE);

        /** Null means the zero value. */
        public Value {
            value = Values.orEmpty(value);
            averageValue = Values.orEmpty(averageValue);
            unknownFields = Values.orNone(unknownFields);
        }
    }
}
