/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.Time;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.controller.Errors;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the oldest finished jobs of a CronJob (upstream: {@code cleanupFinishedJobs}). Thread-safe; blocks. */
final class JobHistory {

    private static final Logger LOG = LoggerFactory.getLogger(JobHistory.class);

    private static final Comparator<Job> BY_START = Comparator.comparing(
                    JobHistory::start, Comparator.nullsLast(Comparator.<Time>naturalOrder()))
            .thenComparing(job -> job.metadata().name());

    private final CronJobWrites writes;

    JobHistory(CronJobWrites writes) {
        this.writes = writes;
    }

    private static @Nullable Time start(Job job) {
        return job.status().startTime();
    }

    /** Deletes the completed and the failed jobs beyond their limits. */
    void clean(CronRun run, List<Job> jobs) {
        delete(run, ended(jobs, JobCondition.COMPLETE), run.cron().spec().successfulJobsHistoryLimit());
        delete(run, ended(jobs, JobCondition.FAILED), run.cron().spec().failedJobsHistoryLimit());
    }

    private static List<Job> ended(List<Job> jobs, String type) {
        return jobs.stream()
                .filter(job -> {
                    JobCondition end = job.finishedCondition();
                    return end != null && end.type().equals(type);
                })
                .sorted(BY_START)
                .toList();
    }

    private void delete(CronRun run, List<Job> oldestFirst, @Nullable Integer limit) {
        if (limit != null && oldestFirst.size() > limit) {
            oldestFirst.subList(0, oldestFirst.size() - limit).forEach(job -> delete(run, job));
        }
    }

    /** Deletes a job and its reference in the status. Returns false if that fails; the event contains the reason. */
    boolean delete(CronRun run, Job job) {
        try {
            writes.delete(job.objectName());
        } catch (RuntimeException e) {
            LOG.warn(
                    "Cannot delete job {} of a CronJob: {}; the next sync tries again",
                    job.objectName(),
                    Errors.text(e));
            run.warning("FailedDelete", "Deleted job: " + Errors.text(e));
            return false;
        }
        run.removeActive(job.metadata().uid());
        run.normal("SuccessfulDelete", "Deleted job " + job.metadata().name());
        return true;
    }
}
