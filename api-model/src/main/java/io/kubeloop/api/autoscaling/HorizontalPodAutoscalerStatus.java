/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.autoscaling;

import io.kubeloop.api.Condition;
import io.kubeloop.api.JsonMember;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the last sync (upstream: {@code autoscaling/v2.HorizontalPodAutoscalerStatus}).
 *
 * @param observedGeneration the generation of the autoscaler that the sync has seen; null in releases before 1.37
 * @param lastScaleTime when the autoscaler last changed the number of pods
 * @param currentReplicas the number of pods that the scaled object wanted
 * @param desiredReplicas the number of pods that the autoscaler wants
 * @param currentMetrics the values of the metrics, in the order of the spec; one without a type has no value
 * @param conditions such as {@code AbleToScale}; at most one per type
 * @param unknownFields all other fields
 */
@RecordBuilder
public record HorizontalPodAutoscalerStatus(
        @Nullable Long observedGeneration,
        @Nullable Time lastScaleTime,
        @JsonMember(omitZero = true) int currentReplicas,
        @JsonMember(omitZero = true) int desiredReplicas,
        List<MetricStatus> currentMetrics,
        List<Condition> conditions,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final HorizontalPodAutoscalerStatus EMPTY =
            HorizontalPodAutoscalerStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public HorizontalPodAutoscalerStatus {
        currentMetrics = Values.orEmpty(currentMetrics);
        conditions = Values.orEmpty(conditions);
        unknownFields = Values.orNone(unknownFields);
    }
}
