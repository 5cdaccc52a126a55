/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.Condition;
import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * The numbers that a ReplicationController's controller last observed (upstream:
 * {@code core/v1.ReplicationControllerStatus}).
 *
 * @param replicas pods that exist
 * @param fullyLabeledReplicas pods that have all labels of the template
 * @param readyReplicas pods that are ready
 * @param availableReplicas pods that have been ready for {@code minReadySeconds}
 * @param observedGeneration the generation that these numbers belong to
 * @param conditions such as {@code ReplicaFailure}; at most one per type
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ReplicationControllerStatus(
        @JsonMember(omitZero = true) int replicas,
        @JsonMember(omitZero = true) int fullyLabeledReplicas,
        @JsonMember(omitZero = true) int readyReplicas,
        @JsonMember(omitZero = true) int availableReplicas,
        @JsonMember(omitZero = true) long observedGeneration,
        List<Condition> conditions,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final ReplicationControllerStatus EMPTY =
            ReplicationControllerStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public ReplicationControllerStatus {
        conditions = Values.orEmpty(conditions);
        unknownFields = Values.orNone(unknownFields);
    }
}
