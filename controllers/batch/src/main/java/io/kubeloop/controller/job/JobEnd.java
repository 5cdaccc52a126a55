/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.Time;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a job ends before all completions are reached. The first of these decides: an earlier decision, the
 * pod failure policy, the backoff limit, the deadline, failed indexes, the success policy. Stateless.
 */
final class JobEnd {

    private JobEnd() {}

    /** Returns the condition that ends the job; null if the job continues. */
    static @Nullable JobCondition of(JobRun run, Instant now) {
        Job job = run.job();
        Time time = new Time(now);
        JobCondition decided = decidedBefore(job, time);
        if (decided != null) {
            return decided;
        }
        for (Pod pod : run.pods) {
            String message = run.hasFailed(pod) ? run.outcome(pod).message() : "";
            if (!message.isEmpty()) {
                return failure("PodFailurePolicy", message, time);
            }
        }
        if (run.failed > Jobs.backoffLimit(job) || hasRestartedTooOften(job, run.pods)) {
            return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit", time);
        }
        Duration left = untilDeadline(job, now);
        if (left != null && (left.isZero() || left.isNegative())) {
            return failure("DeadlineExceeded", "Job was active longer than specified deadline", time);
        }
        return Jobs.isIndexed(job) ? ofIndexes(run, time) : null;
    }

    private static @Nullable JobCondition decidedBefore(Job job, Time now) {
        JobCondition success = JobConditions.findTrue(job, JobCondition.SUCCESS_CRITERIA_MET);
        if (success != null) {
            return success;
        }
        JobCondition failure = JobConditions.findTrue(job, JobCondition.FAILURE_TARGET);
        return failure == null ? null : JobConditions.following(failure, JobCondition.FAILED, now);
    }

    private static @Nullable JobCondition ofIndexes(JobRun run, Time now) {
        Job job = run.job();
        if (run.failedIndexes != null) {
            int failed = run.failedIndexes.total();
            Integer most = job.spec().maxFailedIndexes();
            if (most != null && failed > most) {
                return failure(
                        "MaxFailedIndexesExceeded",
                        "Job has exceeded the specified maximal number of failed indexes",
                        now);
            }
            if (failed > 0 && failed + run.completedIndexes.total() >= Jobs.completions(job)) {
                return failure("FailedIndexes", "Job has failed indexes", now);
            }
        }
        String met =
                SuccessRuleMatcher.firstMet(job.spec().successPolicy(), Jobs.completions(job), run.completedIndexes);
        return met == null ? null : success("SuccessPolicy", met, now);
    }

    /** Returns the condition of a job whose completions are reached. */
    static JobCondition completed(Time now) {
        return success("CompletionsReached", "Reached expected number of succeeded pods", now);
    }

    private static JobCondition success(String reason, String message, Time now) {
        return JobConditions.of(JobCondition.SUCCESS_CRITERIA_MET, JobConditions.TRUE, reason, message, now);
    }

    private static JobCondition failure(String reason, String message, Time now) {
        return JobConditions.of(JobCondition.FAILURE_TARGET, JobConditions.TRUE, reason, message, now);
    }

    /** Returns the time until the job's deadline; null if it has none or does not run. */
    static @Nullable Duration untilDeadline(Job job, Instant now) {
        Duration deadline = Jobs.activeDeadline(job);
        Time start = job.status().startTime();
        return deadline == null || start == null || Jobs.isSuspended(job)
                ? null
                : deadline.minus(Duration.between(start.instant(), now));
    }

    /** The kubelet restarts the containers of pods with the policy OnFailure; each restart is a failure. */
    private static boolean hasRestartedTooOften(Job job, List<Pod> pods) {
        if (!job.spec().template().spec().restartPolicy().equals("OnFailure")) {
            return false;
        }
        int restarts = pods.stream()
                .filter(pod -> pod.status().phase().equals(PodStatus.RUNNING)
                        || pod.status().phase().equals(PodStatus.PENDING))
                .flatMap(pod -> Stream.concat(
                        pod.status().initContainerStatuses().stream(), pod.status().containerStatuses().stream()))
                .mapToInt(ContainerStatus::restartCount)
                .sum();
        return restarts >= Math.max(1, Jobs.backoffLimit(job));
    }
}
