/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The state that a DaemonSet controller last observed (upstream: {@code apps/v1.DaemonSetStatus}).
 *
 * @param currentNumberScheduled fitting nodes with a pod
 * @param numberMisscheduled other nodes with a pod
 * @param desiredNumberScheduled fitting nodes
 * @param numberReady fitting nodes with a pod that is ready
 * @param observedGeneration the generation that these numbers belong to
 * @param updatedNumberScheduled fitting nodes with a pod of the current template
 * @param numberAvailable fitting nodes with a pod that has been ready for {@code minReadySeconds}
 * @param numberUnavailable fitting nodes without such a pod
 * @param collisionCount how often the name of a new revision was taken already
 * @param unknownFields all other fields
 */
@RecordBuilder
public record DaemonSetStatus(
        @JsonMember(omitZero = true) int currentNumberScheduled,
        @JsonMember(omitZero = true) int numberMisscheduled,
        @JsonMember(omitZero = true) int desiredNumberScheduled,
        @JsonMember(omitZero = true) int numberReady,
        @JsonMember(omitZero = true) long observedGeneration,
        @JsonMember(omitZero = true) int updatedNumberScheduled,
        @JsonMember(omitZero = true) int numberAvailable,
        @JsonMember(omitZero = true) int numberUnavailable,
        @Nullable Integer collisionCount,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final DaemonSetStatus EMPTY = DaemonSetStatusBuilder.builder().build();

    /** Null means the zero value. */
    public DaemonSetStatus {
        unknownFields = Values.orNone(unknownFields);
    }
}
