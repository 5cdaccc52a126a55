/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The observed state of a CronJob (upstream: {@code batch/v1.CronJobStatus}).
 *
 * @param active the jobs that run
 * @param lastScheduleTime the scheduled time of the latest job
 * @param lastSuccessfulTime when a job last completed
 * @param unknownFields all other fields
 */
@RecordBuilder
public record CronJobStatus(
        List<ObjectReference> active,
        @Nullable Time lastScheduleTime,
        @Nullable Time lastSuccessfulTime,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final CronJobStatus EMPTY = CronJobStatusBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public CronJobStatus {
        active = Values.orEmpty(active);
        unknownFields = Values.orNone(unknownFields);
    }
}
