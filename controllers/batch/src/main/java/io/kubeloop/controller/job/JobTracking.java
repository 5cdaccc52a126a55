/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.batch.JobStatus;
import io.kubeloop.api.batch.UncountedTerminatedPods;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.parallel.ParallelCalls;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pods that have ended, each exactly once, and writes the status (upstream: {@code
 * trackJobStatusAndRemoveFinalizers}).
 *
 * <ol>
 *   <li>The status lists the UIDs of pods that have ended as uncounted.
 *   <li>These pods lose their finalizer.
 *   <li>The status counts the listed pods that have no finalizer, and lists them no more.
 * </ol>
 *
 * <p>A process that ends between two of these steps leaves enough for the next one to continue. An Indexed job lists
 * the indexes that succeeded instead of these pods: an index counts once in any case.
 *
 * <p>Thread-safe for different jobs. Blocks until every write has its response.
 */
final class JobTracking {

    /** The largest number of listed UIDs; keeps the status below 20 KB and a sync short. */
    private static final int MOST_UNCOUNTED = 500;

    private final JobWrites writes;
    private final PodBackoff backoff;
    private final EventRecorder events;
    private final Executor executor;
    private final JobMetrics metrics;
    private final Clock clock;

    JobTracking(
            JobWrites writes,
            PodBackoff backoff,
            EventRecorder events,
            Executor executor,
            JobMetrics metrics,
            Clock clock) {
        this.writes = writes;
        this.backoff = backoff;
        this.events = events;
        this.executor = executor;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * The pods that have ended, and the UIDs that the status will list.
     *
     * @param released the pods to take the finalizer from
     * @param succeeded the UIDs to list as succeeded
     * @param failed the UIDs to list as failed
     * @param indexes the indexes that succeeded
     * @param actions the rules that the failed ones match
     * @param isCut whether more pods have ended than one sync may count
     */
    private record Ended(
            List<Pod> released,
            List<String> succeeded,
            List<String> failed,
            List<Integer> indexes,
            List<PodFailureRules.Action> actions,
            boolean isCut) {}

    /**
     * Counts pods and writes the status.
     *
     * @param hasChanged whether the status of the run differs from the stored one already
     * @param failures stored once the status lists the pods
     * @throws RuntimeException the first failure; a later try continues
     */
    void track(JobRun run, boolean hasChanged, PodBackoff.Failures failures) {
        JobStatus before = run.status();
        Set<String> tracked = new HashSet<>();
        run.pods.stream()
                .filter(Jobs::isTracked)
                .forEach(pod -> tracked.add(pod.metadata().uid()));
        boolean released = countReleased(run, tracked);
        boolean flush = released || hasChanged;
        Ended ended = ended(run);
        flush |= list(run, ended);
        flush |= decide(run);
        if (flush) {
            before = write(run, before);
            backoff.store(run.job().objectName(), failures);
        }
        metrics.handled(ended.actions());
        RuntimeException error = release(run, ended.released(), tracked);
        boolean counted = countReleased(run, tracked);
        if (error != null) {
            if (counted) {
                write(run, before);
            }
            throw error;
        }
        JobCondition finished = ended.isCut() ? null : finish(run);
        if (counted || finished != null) {
            write(run, before);
        }
        if (finished != null) {
            report(run.job(), finished);
        }
    }

    /** Writes the status, and returns it. */
    private JobStatus write(JobRun run, JobStatus before) {
        run.written(writes.jobs().updateStatus(run.job()));
        metrics.podsFinished(run.job(), before);
        return run.status();
    }

    /** Counts the listed pods whose finalizer has been removed. Returns whether there was one. */
    private static boolean countReleased(JobRun run, Set<String> tracked) {
        UncountedTerminatedPods listed = run.uncounted();
        List<String> succeeded =
                listed.succeeded().stream().filter(tracked::contains).toList();
        List<String> failed = listed.failed().stream().filter(tracked::contains).toList();
        int newSucceeded = listed.succeeded().size() - succeeded.size();
        int newFailed = listed.failed().size() - failed.size();
        if (newSucceeded == 0 && newFailed == 0) {
            return false;
        }
        run.change(status -> status.succeeded(run.status().succeeded() + newSucceeded)
                .failed(run.status().failed() + newFailed)
                .uncountedTerminatedPods(new UncountedTerminatedPods(succeeded, failed, UnknownFields.NONE)));
        return true;
    }

    private Ended ended(JobRun run) {
        Ended ended = new Ended(
                new ArrayList<>(),
                new ArrayList<>(run.uncounted().succeeded()),
                new ArrayList<>(run.uncounted().failed()),
                new ArrayList<>(),
                new ArrayList<>(),
                false);
        boolean isFailure = run.end != null && !run.end.type().equals(JobCondition.SUCCESS_CRITERIA_MET);
        for (Pod pod : run.pods) {
            boolean failed = run.hasFailed(pod);
            if (!Jobs.isTracked(pod) || !canRelease(run, pod, failed)) {
                continue;
            }
            ended.released().add(pod);
            if (JobRun.hasSucceeded(pod) && !run.wasUncountedFailure(pod)) {
                listSuccess(run, pod, ended);
            } else if ((failed || isFailure) && !run.wasUncountedFailure(pod) && run.hasValidIndex(pod)) {
                // When a job fails, each pod that has not ended counts as failed.
                listFailure(run, pod, ended);
            }
            if (ended.indexes().size()
                            + ended.succeeded().size()
                            + ended.failed().size()
                    >= MOST_UNCOUNTED) {
                return new Ended(
                        ended.released(), ended.succeeded(), ended.failed(), ended.indexes(), ended.actions(), true);
            }
        }
        return ended;
    }

    private static void listSuccess(JobRun run, Pod pod, Ended ended) {
        if (!Jobs.isIndexed(run.job())) {
            if (!run.wasUncountedSuccess(pod)) {
                ended.succeeded().add(pod.metadata().uid());
            }
        } else if (run.hasValidIndex(pod) && !run.countedIndexes.contains(PodIndexes.of(pod))) {
            ended.indexes().add(PodIndexes.of(pod));
        }
    }

    private static void listFailure(JobRun run, Pod pod, Ended ended) {
        PodFailureRules.Outcome outcome = run.outcome(pod);
        PodFailureRules.Action action = outcome.action();
        if (action != null) {
            ended.actions().add(action);
        }
        if (outcome.counts()) {
            ended.failed().add(pod.metadata().uid());
        }
    }

    private static boolean canRelease(JobRun run, Pod pod, boolean failed) {
        if (run.job().metadata().isDeleting() || run.end != null || JobRun.hasSucceeded(pod)) {
            return true;
        }
        Pod awaited = run.lastFailed.get(PodIndexes.of(pod));
        return failed
                && (awaited == null
                        || !awaited.metadata().uid().equals(pod.metadata().uid()));
    }

    /** Adds the pods that have ended to the status. Returns whether it changes. */
    private static boolean list(JobRun run, Ended ended) {
        boolean changes = ended.succeeded().size() > run.uncounted().succeeded().size()
                || ended.failed().size() > run.uncounted().failed().size()
                || !ended.indexes().isEmpty();
        run.change(status -> status.uncountedTerminatedPods(
                new UncountedTerminatedPods(ended.succeeded(), ended.failed(), UnknownFields.NONE)));
        if (!Jobs.isIndexed(run.job())) {
            return changes;
        }
        run.completedIndexes = run.completedIndexes.with(ended.indexes());
        String completed = run.completedIndexes.toString();
        String failed = run.failedIndexes == null ? null : run.failedIndexes.toString();
        changes |= !completed.equals(run.status().completedIndexes())
                || !Objects.equals(failed, run.status().failedIndexes());
        run.change(status -> status.succeeded(run.completedIndexes.total())
                .completedIndexes(completed)
                .failedIndexes(failed));
        return changes;
    }

    /**
     * Writes a decision about the end of the job into the status before a pod on which the decision is based can be
     * deleted. Later turns it into the final condition. Returns whether the status changes.
     */
    private boolean decide(JobRun run) {
        JobCondition decision = run.end;
        if (decision == null || decision.type().equals(JobCondition.FAILED)) {
            return false;
        }
        boolean isSuccess = decision.type().equals(JobCondition.SUCCESS_CRITERIA_MET);
        run.end = JobConditions.following(
                decision, isSuccess ? JobCondition.COMPLETE : JobCondition.FAILED, new Time(clock.instant()));
        if (isSuccess && JobConditions.findTrue(run.job(), JobCondition.SUCCESS_CRITERIA_MET) != null) {
            return false;
        }
        run.change(status -> status.conditions(JobConditions.append(run.status().conditions(), decision)));
        return true;
    }

    /**
     * Removes the finalizer from pods, and the pods from the set of tracked UIDs. Returns the first failure, or null.
     */
    private @Nullable RuntimeException release(JobRun run, List<Pod> pods, Set<String> tracked) {
        Job job = run.job();
        Set<String> released = ConcurrentHashMap.newKeySet();
        List<Runnable> calls = pods.stream()
                .<Runnable>map(pod -> () -> {
                    writes.release(job, pod);
                    released.add(pod.metadata().uid());
                })
                .toList();
        RuntimeException error = ParallelCalls.run(calls, executor).error();
        tracked.removeAll(released);
        return error;
    }

    /** Ends the job if every pod has ended and is counted. Returns the condition of the end, or null. */
    private @Nullable JobCondition finish(JobRun run) {
        JobCondition end = run.end;
        UncountedTerminatedPods uncounted = run.uncounted();
        if (end == null
                || run.terminating > 0
                || !uncounted.succeeded().isEmpty()
                || !uncounted.failed().isEmpty()) {
            return null;
        }
        run.change(status -> {
            status.conditions(JobConditions.with(run.status().conditions(), end));
            if (end.type().equals(JobCondition.COMPLETE)) {
                status.completionTime(end.lastTransitionTime());
            }
        });
        return end;
    }

    private void report(Job job, JobCondition end) {
        metrics.finished(job, end);
        if (!end.type().equals(JobCondition.COMPLETE)) {
            events.event(ResourceTypes.JOBS, job, EventType.WARNING, end.reason(), end.message());
            return;
        }
        Integer completions = job.spec().completions();
        if (completions != null && job.status().succeeded() > completions) {
            events.event(
                    ResourceTypes.JOBS,
                    job,
                    EventType.WARNING,
                    "TooManySucceededPods",
                    "Too many succeeded pods running after completion count reached");
        }
        events.event(ResourceTypes.JOBS, job, EventType.NORMAL, "Completed", "Job completed");
    }
}
