/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.Condition;
import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a ReplicaSet controller last observed (upstream: {@code apps/v1.ReplicaSetStatus}).
 *
 * @param replicas pods that exist
 * @param fullyLabeledReplicas pods that have all labels of the template
 * @param readyReplicas pods that are ready
 * @param availableReplicas pods that have been ready for {@code minReadySeconds}
 * @param terminatingReplicas pods that are being deleted and have not ended; null where no controller counts them
 *     (KEP-3973, enabled by default in current releases)
 * @param observedGeneration the generation that these numbers belong to
 * @param conditions such as {@code ReplicaFailure}; at most one per type
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ReplicaSetStatus(
        @JsonMember(omitZero = true) int replicas,
        @JsonMember(omitZero = true) int fullyLabeledReplicas,
        @JsonMember(omitZero = true) int readyReplicas,
        @JsonMember(omitZero = true) int availableReplicas,
        @Nullable Integer terminatingReplicas,
        @JsonMember(omitZero = true) long observedGeneration,
        List<Condition> conditions,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final ReplicaSetStatus EMPTY =
            ReplicaSetStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public ReplicaSetStatus {
        conditions = Values.orEmpty(conditions);
        unknownFields = Values.orNone(unknownFields);
    }
}
