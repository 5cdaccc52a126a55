/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state that a deployment controller last observed (upstream: {@code apps/v1.DeploymentStatus}).
 *
 * @param observedGeneration the generation that these numbers belong to
 * @param replicas pods that exist and are not terminating
 * @param updatedReplicas pods of the current template
 * @param readyReplicas pods that are ready
 * @param availableReplicas pods that have been ready for {@code minReadySeconds}
 * @param unavailableReplicas pods that are missing until {@code replicas} are available
 * @param terminatingReplicas pods that are being deleted and have not ended; null where no controller counts them
 * @param conditions such as {@code Available} and {@code Progressing}; at most one per type
 * @param collisionCount the number of times that the name of a new ReplicaSet was already in use
 * @param unknownFields all other fields
 */
@RecordBuilder
public record DeploymentStatus(
        @JsonMember(omitZero = true) long observedGeneration,
        @JsonMember(omitZero = true) int replicas,
        @JsonMember(omitZero = true) int updatedReplicas,
        @JsonMember(omitZero = true) int readyReplicas,
        @JsonMember(omitZero = true) int availableReplicas,
        @JsonMember(omitZero = true) int unavailableReplicas,
        @Nullable Integer terminatingReplicas,
        List<DeploymentCondition> conditions,
        @Nullable Integer collisionCount,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final DeploymentStatus EMPTY =
            DeploymentStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public DeploymentStatus {
        conditions = Values.orEmpty(conditions);
        unknownFields = Values.orNone(unknownFields);
    }
}
