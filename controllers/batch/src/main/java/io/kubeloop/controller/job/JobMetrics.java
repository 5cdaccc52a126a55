/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.batch.JobSpec;
import io.kubeloop.api.batch.JobStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    private static final ControllerMetric INDEXES_FINISHED = ControllerMetric.counter(
            PREFIX + "job_finished_indexes_total", "Indexes that have ended", "status", "backoffLimit");
    private static final ControllerMetric PODS_CREATED = ControllerMetric.counter(
            PREFIX + "job_pods_creation_total", "Pods created, by the reason and the result", "reason", "status");
    private static final ControllerMetric FAILURES_BY_RULE = ControllerMetric.counter(
            PREFIX + "pod_failures_handled_by_failure_policy_total",
            "Failed pods that match a rule of a podFailurePolicy",
            "action");
    private static final ControllerMetric TRACKED_ENDS = ControllerMetric.counter(
            PREFIX + "terminated_pods_tracking_finalizer_total",
            "Pods that have ended and get or lose the finalizer of jobs",
            "event");
    private static final ControllerMetric FOREIGN = ControllerMetric.counter(
            PREFIX + "jobs_by_external_controller_total", "Jobs that another controller manages", "controller_name");
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
        JobStatus after = job.status();
        int succeeded = after.succeeded() - before.succeeded();
        if (Jobs.isIndexed(job)) {
            // An index that has left the range of the completions is in neither number.
            succeeded = indexes(job, after.completedIndexes()) - indexes(job, before.completedIndexes());
            String limit = Jobs.hasLimitPerIndex(job) ? "perIndex" : "global";
            record(INDEXES_FINISHED, succeeded, SUCCEEDED, limit);
            record(
                    INDEXES_FINISHED,
                    indexes(job, after.failedIndexes()) - indexes(job, before.failedIndexes()),
                    FAILED,
                    limit);
        }
        record(PODS_FINISHED, succeeded, mode(job), SUCCEEDED);
        record(PODS_FINISHED, after.failed() - before.failed(), mode(job), FAILED);
    }

    private static int indexes(Job job, @Nullable String listed) {
        return listed == null
                ? 0
                : IndexIntervals.parse(listed, Jobs.completions(job)).total();
    }

    /** Counts the pods that a sync has created, and those that it could not create. */
    void podsCreated(JobRun run, int created, int refused) {
        boolean hasFailed = run.failed > 0;
        String reason = hasFailed && Jobs.replacesOnlyFailed(run.job())
                ? "recreate_failed"
                : hasFailed || run.terminating > 0 ? "recreate_terminating_or_failed" : "new";
        record(PODS_CREATED, created, reason, SUCCEEDED);
        record(PODS_CREATED, refused, reason, FAILED);
    }

    /** Counts failed pods by the rules that they match. */
    void handled(List<PodFailureRules.Action> actions) {
        actions.forEach(action -> metrics.record(FAILURES_BY_RULE, 1, action.text()));
    }

    /** Counts a job that appears, if another controller manages it. */
    void appeared(Job job) {
        if (Jobs.isForeign(job)) {
            metrics.record(FOREIGN, 1, Objects.requireNonNull(job.spec().managedBy()));
        }
    }

    /** Counts a pod that has ended and gets or loses the finalizer; null for a pod that does not exist. */
    void podChanged(@Nullable Pod before, @Nullable Pod after) {
        boolean is = isTrackedEnd(after);
        if (is != isTrackedEnd(before)) {
            metrics.record(TRACKED_ENDS, 1, is ? "add" : "delete");
        }
    }

    private static boolean isTrackedEnd(@Nullable Pod pod) {
        return pod != null
                && Jobs.isTracked(pod)
                && (pod.status().phase().equals(PodStatus.SUCCEEDED)
                        || pod.status().phase().equals(PodStatus.FAILED));
    }

    private void record(ControllerMetric metric, int number, String... labels) {
        if (number > 0) {
            metrics.record(metric, number, labels);
        }
    }

    private static String mode(Job job) {
        return Jobs.isIndexed(job) ? JobSpec.INDEXED : JobSpec.NON_INDEXED;
    }
}
