package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * What a ReplicaSet controller last saw (upstream: {@code apps/v1.ReplicaSetStatus}).
 *
 * @param replicas pods that exist
 * @param fullyLabeledReplicas pods that have all labels of the template
 * @param readyReplicas pods that are ready
 * @param availableReplicas pods that have been ready long enough
 * @param observedGeneration the generation that these figures belong to
 * @param conditions such as {@code ReplicaFailure}; at most one per type
 * @param unknownFields everything else
 */
@RecordBuilder
public record ReplicaSetStatus(
        int replicas,
        int fullyLabeledReplicas,
        int readyReplicas,
        int availableReplicas,
        long observedGeneration,
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
