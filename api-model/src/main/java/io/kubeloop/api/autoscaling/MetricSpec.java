/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.autoscaling;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A metric and its target (upstream: {@code autoscaling/v2.MetricSpec}). Only the component that {@code type} names is
 * set.
 *
 * @param type {@code Object}, {@code Pods}, {@code Resource}, {@code ContainerResource} or {@code External}
 * @param object a metric of one object
 * @param pods a metric of each pod
 * @param resource a resource of the pods, such as {@code cpu}
 * @param containerResource a resource of one container of the pods
 * @param external a metric that belongs to no object
 * @param unknownFields all other fields
 */
@WithMethods
public record MetricSpec(
        String type,
        @Nullable Source object,
        @Nullable Source pods,
        @Nullable Source resource,
        @Nullable Source containerResource,
        @Nullable Source external,
        UnknownFields unknownFields)
        implements MetricSpecBuilder.With {

    /** Null means the zero value. */
    public MetricSpec {
        type = Values.orEmpty(type);
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * The source of a metric, of any type (upstream: {@code ObjectMetricSource}, {@code PodsMetricSource}, {@code
     * ResourceMetricSource}, {@code ContainerResourceMetricSource} and {@code ExternalMetricSource}).
     *
     * @param describedObject the object that has the metric; only for type {@code Object}
     * @param name the resource; only for resource metrics
     * @param container the container; only for type {@code ContainerResource}
     * @param metric the metric; not for resource metrics
     * @param target the wanted value
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Source(
            @Nullable CrossVersionObjectReference describedObject,
            String name,
            String container,
            @Nullable MetricIdentifier metric,
            Target target,
            UnknownFields unknownFields) {

        /** Every field absent. */
        public static final Source EMPTY = new Source(null, "", "", null, Target.EMPTY, UnknownFields.NONE);

        /** Null means the zero value. */
        public Source {
            name = Values.orEmpty(name);
            container = Values.orEmpty(container);
            target = target == null ? Target.EMPTY : target;
            unknownFields = Values.orNone(unknownFields);
        }
    }

    /**
     * The wanted value of a metric (upstream: {@code MetricTarget}).
     *
     * @param type {@code Utilization}, {@code Value} or {@code AverageValue}
     * @param value the total, as a quantity
     * @param averageValue the value of each pod, as a quantity
     * @param averageUtilization the usage in percent of the requests
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Target(
            String type,
            String value,
            String averageValue,
            @Nullable Integer averageUtilization,
            UnknownFields unknownFields) {

        /** Every field absent. */
        public static final Target EMPTY = new Target("", "", "", null, UnknownFields.NONE);

        /** Null means the zero value. */
        public Target {
            type = Values.orEmpty(type);
            value = Values.orEmpty(value);
            averageValue = Values.orEmpty(averageValue);
            unknownFields = Values.orNone(unknownFields);
        }
    }
}
