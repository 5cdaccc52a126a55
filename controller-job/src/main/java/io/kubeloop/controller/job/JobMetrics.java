package io.kubeloop.controller.job;

import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.batch.JobSpec;
import io.kubeloop.api.batch.JobStatus;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Records the controller's own metrics (upstream: package {@code job/metrics}). Thread-safe.
 *
 * @param metrics receives them
 * @param clock measures durations
 */
record JobMetrics(ControllerMetrics metrics, Clock clock) {

    private static final String PREFIX = "job_controller_";
    private static final ControllerMetric SYNCS = ControllerMetric.counter(
            PREFIX + "job_syncs_total", "Syncs of jobs", "completion_mode", "result", "action");
    private static final ControllerMetric SYNC_SECONDS = ControllerMetric.histogram(
            PREFIX + "job_sync_duration_seconds",
            "Seconds of a sync",
            0.004,
            15,
            "completion_mode",
            "result",
            "action");
    private static final ControllerMetric FINISHED = ControllerMetric.counter(
            PREFIX + "jobs_finished_total", "Jobs that have ended", "completion_mode", "result", "reason");
    private static final ControllerMetric PODS_FINISHED = ControllerMetric.counter(
            PREFIX + "job_pods_finished_total", "Pods that have ended and are counted", "completion_mode", "result");
    private static final String SUCCEEDED = "succeeded";
    private static final String FAILED = "failed";

    /** Counts a sync that began at a time. */
    void synced(Job job, boolean isSuccess, String action, Instant start) {
        String result = isSuccess ? "success" : "error";
        metrics.record(SYNCS, 1, mode(job), result, action);
        metrics.record(SYNC_SECONDS, Duration.between(start, clock.instant()), mode(job), result, action);
    }

    /** Counts a job that has ended. */
    void finished(Job job, JobCondition end) {
        String result = end.type().equals(JobCondition.COMPLETE) ? SUCCEEDED : FAILED;
        metrics.record(FINISHED, 1, mode(job), result, end.reason());
    }

    /** Counts the pods that the job's status counts and the status before did not. */
    void podsFinished(Job job, JobStatus before) {
        record(job, SUCCEEDED, job.status().succeeded() - before.succeeded());
        record(job, FAILED, job.status().failed() - before.failed());
    }

    private void record(Job job, String result, int pods) {
        if (pods > 0) {
            metrics.record(PODS_FINISHED, pods, mode(job), result);
        }
    }

    private static String mode(Job job) {
        return Jobs.isIndexed(job) ? JobSpec.INDEXED : JobSpec.NON_INDEXED;
    }
}
