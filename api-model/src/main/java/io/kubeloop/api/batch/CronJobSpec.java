/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a CronJob (upstream: {@code batch/v1.CronJobSpec}).
 *
 * @param schedule the schedule in cron's format, such as {@code 0 3 * * *}
 * @param timeZone the IANA name of the schedule's time zone; null means the controller's
 * @param startingDeadlineSeconds the delay after which a start is missed, in seconds; null for no limit
 * @param concurrencyPolicy {@code Allow}, {@code Forbid} or {@code Replace}; empty means {@code Allow}
 * @param suspend whether no jobs are started
 * @param jobTemplate the form of the jobs
 * @param successfulJobsHistoryLimit the number of completed jobs to keep; null keeps all
 * @param failedJobsHistoryLimit the number of failed jobs to keep; null keeps all
 * @param unknownFields all other fields
 */
@WithMethods
public record CronJobSpec(
        String schedule,
        @Nullable String timeZone,
        @Nullable Long startingDeadlineSeconds,
        String concurrencyPolicy,
        @Nullable Boolean suspend,
        JobTemplateSpec jobTemplate,
        @Nullable Integer successfulJobsHistoryLimit,
        @Nullable Integer failedJobsHistoryLimit,
        UnknownFields unknownFields)
        implements CronJobSpecBuilder.With {

    /** Every field absent. */
    public static final CronJobSpec EMPTY = CronJobSpecBuilder.builder().build();

    /** Policy: a start is skipped while a job runs. */
    public static final String FORBID = "Forbid";

    /** Policy: a start deletes the jobs that run. */
    public static final String REPLACE = "Replace";

    /** Null means the zero value. */
    public CronJobSpec {
        schedule = Values.orEmpty(schedule);
        concurrencyPolicy = Values.orEmpty(concurrencyPolicy);
        jobTemplate = jobTemplate == null ? JobTemplateSpec.EMPTY : jobTemplate;
        unknownFields = Values.orNone(unknownFields);
    }
}
