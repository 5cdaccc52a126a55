/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.policy;

import io.kubeloop.api.Condition;
import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/**
 * The number of evictions that a budget allows now, and the pods that are counted (upstream: {@code
 * policy/v1.PodDisruptionBudgetStatus}).
 *
 * @param observedGeneration the generation of the budget that the status refers to
 * @param disruptedPods pods whose eviction was allowed and whose deletion the controller has not observed yet, with the
 *     time in RFC 3339
 * @param disruptionsAllowed the number of pods that may be evicted now
 * @param currentHealthy the number of healthy pods
 * @param desiredHealthy the number of pods that must stay healthy
 * @param expectedPods the number of pods that the budget counts
 * @param conditions such as {@code DisruptionAllowed}; at most one per type
 * @param unknownFields all other fields
 */
@RecordBuilder
public record PodDisruptionBudgetStatus(
        @JsonMember(omitZero = true) long observedGeneration,
        Map<String, String> disruptedPods,
        @JsonMember(omitZero = true) int disruptionsAllowed,
        @JsonMember(omitZero = true) int currentHealthy,
        @JsonMember(omitZero = true) int desiredHealthy,
        @JsonMember(omitZero = true) int expectedPods,
        List<Condition> conditions,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final PodDisruptionBudgetStatus EMPTY =
            PodDisruptionBudgetStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public PodDisruptionBudgetStatus {
        disruptedPods = Values.orEmpty(disruptedPods);
        conditions = Values.orEmpty(conditions);
        unknownFields = Values.orNone(unknownFields);
    }
}
