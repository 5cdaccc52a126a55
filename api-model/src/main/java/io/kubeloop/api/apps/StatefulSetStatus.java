/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The state that a StatefulSet controller last observed (upstream: {@code apps/v1.StatefulSetStatus}).
 *
 * @param observedGeneration the generation that these numbers belong to
 * @param replicas pods that exist
 * @param readyReplicas pods that run and are ready
 * @param currentReplicas pods of the current revision
 * @param updatedReplicas pods of the update revision
 * @param currentRevision the revision of the pods that are not updated
 * @param updateRevision the revision of the template
 * @param collisionCount how often the name of a new revision was taken already
 * @param availableReplicas pods that have been ready for {@code minReadySeconds}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record StatefulSetStatus(
        @JsonMember(omitZero = true) long observedGeneration,
        @JsonMember(omitZero = true) int replicas,
        @JsonMember(omitZero = true) int readyReplicas,
        @JsonMember(omitZero = true) int currentReplicas,
        @JsonMember(omitZero = true) int updatedReplicas,
        String currentRevision,
        String updateRevision,
        @Nullable Integer collisionCount,
        @JsonMember(omitZero = true) int availableReplicas,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final StatefulSetStatus EMPTY =
            StatefulSetStatusBuilder.builder().build();

    /** Null means the zero value. */
    public StatefulSetStatus {
        currentRevision = Values.orEmpty(currentRevision);
        updateRevision = Values.orEmpty(updateRevision);
        unknownFields = Values.orNone(unknownFields);
    }
}
