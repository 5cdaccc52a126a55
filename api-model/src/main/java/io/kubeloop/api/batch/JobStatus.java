/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The observed state of a job (upstream: {@code batch/v1.JobStatus}).
 *
 * @param conditions the job's conditions; at most one per type
 * @param startTime when the job started or was last resumed; null while it is suspended
 * @param completionTime when the job completed; null if it did not succeed
 * @param active the number of pods that have not ended and are not being deleted
 * @param succeeded the number of counted pods, or of indexes, that succeeded
 * @param failed the number of counted pods that failed
 * @param terminating the number of pods that are being deleted and have not ended
 * @param completedIndexes the indexes that succeeded, such as {@code 1,3-5,7}
 * @param failedIndexes the indexes that failed, in the same form; null without a limit per index
 * @param uncountedTerminatedPods the pods that have ended and are not part of the counts yet
 * @param ready the number of active pods that are ready
 * @param unknownFields all other fields
 */
@RecordBuilder
public record JobStatus(
        List<JobCondition> conditions,
        @Nullable Time startTime,
        @Nullable Time completionTime,
        @JsonMember(omitZero = true) int active,
        @JsonMember(omitZero = true) int succeeded,
        @JsonMember(omitZero = true) int failed,
        @Nullable Integer terminating,
        @JsonMember(shared = false) String completedIndexes,
        @JsonMember(shared = false) @Nullable String failedIndexes,
        @Nullable UncountedTerminatedPods uncountedTerminatedPods,
        @Nullable Integer ready,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final JobStatus EMPTY = JobStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public JobStatus {
        conditions = Values.orEmpty(conditions);
        completedIndexes = Values.orEmpty(completedIndexes);
        unknownFields = Values.orNone(unknownFields);
    }
}
