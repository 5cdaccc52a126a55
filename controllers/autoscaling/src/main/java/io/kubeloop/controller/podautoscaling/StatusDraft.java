/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ConditionBuilder;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscalerStatus;
import io.kubeloop.api.autoscaling.MetricStatus;
import io.kubeloop.api.autoscaling.MetricStatusBuilder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status that one sync writes. It begins as the current status. For one thread. */
final class StatusDraft {

    static final String ABLE_TO_SCALE = "AbleToScale";
    static final String SCALING_ACTIVE = "ScalingActive";
    static final String SCALING_LIMITED = "ScalingLimited";
    static final String SCALED_TO_ZERO = "ScaledToZero";

    private final HorizontalPodAutoscalerStatus original;

    /** Null on a server before 1.37, which counts no generations of autoscalers and would drop the field. */
    private final @Nullable Long generation;

    private final Clock clock;
    private final List<Condition> conditions;
    private HorizontalPodAutoscalerStatus values;

    StatusDraft(HorizontalPodAutoscaler autoscaler, Clock clock) {
        original = autoscaler.status();
        long current = autoscaler.metadata().generation();
        generation = current == 0 ? null : current;
        this.clock = clock;
        conditions = new ArrayList<>(original.conditions());
        values = original;
    }

    /** Sets a condition. The time of its last transition stays if its status does. */
    void condition(String type, boolean isTrue, String reason, String message) {
        String status = isTrue ? "True" : "False";
        Condition added = ConditionBuilder.builder()
                .type(type)
                .status(status)
                .reason(reason)
                .message(message)
                .build();
        for (int i = 0; i < conditions.size(); i++) {
            Condition old = conditions.get(i);
            if (old.type().equals(type)) {
                conditions.set(
                        i,
                        ConditionBuilder.builder(added)
                                .lastTransitionTime(old.status().equals(status) ? old.lastTransitionTime() : now())
                                .build());
                return;
            }
        }
        conditions.add(ConditionBuilder.builder(added).lastTransitionTime(now()).build());
    }

    void condition(String type, boolean isTrue, ReplicaLimits.Note note) {
        condition(type, isTrue, note.reason(), note.message());
    }

    /** Returns whether a condition is there and true. */
    boolean isTrue(String type) {
        return conditions.stream()
                .anyMatch(condition ->
                        condition.type().equals(type) && condition.status().equals("True"));
    }

    private Time now() {
        return new Time(clock.instant());
    }

    /** Sets the numbers and metrics. The wanted number stays that of the last sync that computed one. */
    void observed(int current, List<MetricStatus> metrics) {
        values = new HorizontalPodAutoscalerStatus(
                generation,
                original.lastScaleTime(),
                current,
                original.desiredReplicas(),
                metrics,
                List.of(),
                UnknownFields.NONE);
    }

    /** Sets the numbers, the metrics and, if the number of pods was changed, the time of this change. */
    void computed(int current, int desired, List<MetricStatus> metrics, boolean isRescaled) {
        values = new HorizontalPodAutoscalerStatus(
                generation,
                isRescaled ? now() : original.lastScaleTime(),
                current,
                desired,
                metrics,
                List.of(),
                UnknownFields.NONE);
    }

    /** Returns the status. */
    HorizontalPodAutoscalerStatus status() {
        return new HorizontalPodAutoscalerStatus(
                values.observedGeneration(),
                values.lastScaleTime(),
                values.currentReplicas(),
                values.desiredReplicas(),
                values.currentMetrics(),
                conditions,
                values.unknownFields());
    }

    /** Returns whether the status differs from the original in a field that a sync computes. */
    boolean isChanged() {
        return !comparable(original).equals(comparable(status()));
    }

    /** Servers return empty members that a new object does not have. */
    private static HorizontalPodAutoscalerStatus comparable(HorizontalPodAutoscalerStatus status) {
        return new HorizontalPodAutoscalerStatus(
                status.observedGeneration(),
                status.lastScaleTime(),
                status.currentReplicas(),
                status.desiredReplicas(),
                status.currentMetrics().stream()
                        .map(metric -> MetricStatusBuilder.builder(metric)
                                .unknownFields(metric.unknownFields().withoutAbsences())
                                .build())
                        .toList(),
                status.conditions().stream()
                        .map(condition -> ConditionBuilder.builder(condition)
                                .unknownFields(condition.unknownFields().withoutAbsences())
                                .build())
                        .toList(),
                UnknownFields.NONE);
    }
}
