/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.batch.JobStatus;
import io.kubeloop.api.batch.JobStatusBuilder;
import io.kubeloop.api.batch.UncountedTerminatedPods;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.Pods;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The job and its pods in one sync, with the results of the sync so far (upstream: {@code syncJobCtx}). The fields that
 * are not final change while the sync acts. Not thread-safe; the syncing thread owns it.
 */
final class JobRun {

    /** The sync leaves the number of pods as it is. */
    static final String RECONCILING = "reconciling";

    /** The pods of the job, by index if it is Indexed. */
    final List<Pod> pods;

    /** The pods that have not ended and are not being deleted. */
    final List<Pod> activePods;

    /** The pods that have succeeded and failed and that the status does not mention yet. */
    final List<Pod> newlySucceeded;

    final List<Pod> newlyFailed;

    /** The UIDs that the status listed as uncounted when the sync began. */
    private final Set<String> uncountedSucceeded;

    private final Set<String> uncountedFailed;

    /**
     * The indexes that the status listed as completed when the sync began, and those of them and of the present pods.
     */
    final IndexIntervals countedIndexes;

    IndexIntervals completedIndexes;

    /** The indexes that failed; null if they have no limit of their own. */
    final @Nullable IndexIntervals failedIndexes;

    /**
     * The latest failed pod of each index that has no active pod and may get another one. It keeps its finalizer until
     * then, so the next pod can take over its failure count.
     */
    final Map<Integer, Pod> lastFailed;

    /** The numbers of pods, with the creations and deletions of this sync. */
    int active;

    int ready;
    int terminating;

    /** All pods or indexes that have succeeded, and all pods that have failed and count, whether counted or not. */
    final int succeeded;

    final int failed;

    /** The condition that ends the job; null if the job continues. */
    @Nullable
    JobCondition end;

    /** The change of the number of pods by the sync, as metrics name it. */
    String action = RECONCILING;

    private Job job;

    JobRun(Job latest, List<Pod> claimed) {
        UncountedTerminatedPods listed = latest.status().uncountedTerminatedPods();
        UncountedTerminatedPods uncounted = listed == null ? UncountedTerminatedPods.EMPTY : listed;
        job = latest.withStatus(JobStatusBuilder.builder(latest.status())
                .uncountedTerminatedPods(uncounted)
                .build());
        pods = Jobs.isIndexed(job)
                ? claimed.stream()
                        .sorted(Comparator.comparingInt(PodIndexes::of))
                        .toList()
                : claimed;
        activePods = pods.stream().filter(Pods::isPodActive).toList();
        active = activePods.size();
        ready = (int) activePods.stream().filter(Pod::isReady).count();
        terminating = (int) pods.stream().filter(Pods::isPodTerminating).count();
        uncountedSucceeded = Set.copyOf(uncounted.succeeded());
        uncountedFailed = Set.copyOf(uncounted.failed());
        newlySucceeded = uncountedPods(uncountedSucceeded, JobRun::hasSucceeded);
        newlyFailed = uncountedPods(uncountedFailed, this::hasFailed);
        failed = job.status().failed()
                + uncountedFailed.size()
                + (int) newlyFailed.stream()
                        .filter(pod -> outcome(pod).counts())
                        .count();
        countedIndexes = IndexIntervals.parse(job.status().completedIndexes(), Jobs.completions(job));
        completedIndexes = Jobs.isIndexed(job)
                ? countedIndexes.with(PodIndexes.of(countable(JobRun::hasSucceeded)))
                : IndexIntervals.NONE;
        succeeded = Jobs.isIndexed(job)
                ? completedIndexes.total()
                : job.status().succeeded() + uncountedSucceeded.size() + newlySucceeded.size();
        boolean limited = Jobs.isIndexed(job) && Jobs.hasLimitPerIndex(job);
        failedIndexes = limited ? failedIndexes() : null;
        lastFailed = failedIndexes == null ? Map.of() : lastFailed(failedIndexes);
    }

    Job job() {
        return job;
    }

    JobStatus status() {
        return job.status();
    }

    /** Replaces the job by the one that the server returned. */
    void written(Job stored) {
        job = stored;
    }

    /** Changes the status that this sync will write. */
    void change(Consumer<JobStatusBuilder> change) {
        JobStatusBuilder builder = JobStatusBuilder.builder(job.status());
        change.accept(builder);
        job = job.withStatus(builder.build());
    }

    UncountedTerminatedPods uncounted() {
        UncountedTerminatedPods uncounted = job.status().uncountedTerminatedPods();
        return uncounted == null ? UncountedTerminatedPods.EMPTY : uncounted;
    }

    boolean wasUncountedSuccess(Pod pod) {
        return uncountedSucceeded.contains(pod.metadata().uid());
    }

    boolean wasUncountedFailure(Pod pod) {
        return uncountedFailed.contains(pod.metadata().uid());
    }

    /** Returns whether the pod can count: an Indexed job counts only pods of its indexes. */
    boolean hasValidIndex(Pod pod) {
        return !Jobs.isIndexed(job) || PodIndexes.isValid(pod, Jobs.completions(job));
    }

    /** Returns the rule for the failure of a pod. */
    PodFailureRules.Outcome outcome(Pod pod) {
        return PodFailureRules.outcome(job.spec().podFailurePolicy(), pod);
    }

    static boolean hasSucceeded(Pod pod) {
        return pod.status().phase().equals(PodStatus.SUCCEEDED);
    }

    /**
     * Returns whether the pod has failed. A pod that is being deleted counts as failed, unless its replacement waits
     * for its end: it may never reach the phase {@code Failed}.
     */
    boolean hasFailed(Pod pod) {
        return pod.status().phase().equals(PodStatus.FAILED)
                || (!Jobs.replacesOnlyFailed(job) && pod.metadata().isDeleting() && !hasSucceeded(pod));
    }

    private List<Pod> countable(Predicate<Pod> matches) {
        return pods.stream()
                .filter(pod -> Jobs.isTracked(pod) && hasValidIndex(pod) && matches.test(pod))
                .toList();
    }

    private List<Pod> uncountedPods(Set<String> uncounted, Predicate<Pod> matches) {
        return countable(pod -> !uncounted.contains(pod.metadata().uid()) && matches.test(pod));
    }

    private IndexIntervals failedIndexes() {
        String listed = job.status().failedIndexes();
        IndexIntervals before =
                listed == null ? IndexIntervals.NONE : IndexIntervals.parse(listed, Jobs.completions(job));
        return before.with(PodIndexes.of(countable(this::failsItsIndex)));
    }

    private boolean failsItsIndex(Pod pod) {
        if (!hasFailed(pod)) {
            return false;
        }
        PodFailureRules.Outcome outcome = outcome(pod);
        int limit = Objects.requireNonNull(job.spec().backoffLimitPerIndex());
        return outcome.action() == PodFailureRules.Action.FAIL_INDEX
                || (outcome.counts() && PodIndexes.failures(pod) >= limit);
    }

    private Map<Integer, Pod> lastFailed(IndexIntervals failures) {
        Set<Integer> settled = new HashSet<>(PodIndexes.of(activePods));
        Map<Integer, Pod> last = new HashMap<>();
        for (Pod pod : countable(this::hasFailed)) {
            int index = PodIndexes.of(pod);
            if (!settled.contains(index) && !completedIndexes.contains(index) && !failures.contains(index)) {
                last.merge(index, pod, JobRun::later);
            }
        }
        return last;
    }

    private static Pod later(Pod one, Pod other) {
        boolean isLater = PodIndexes.allFailures(one) <= PodIndexes.allFailures(other)
                && !FinishTimes.of(other).isBefore(FinishTimes.of(one));
        return isLater ? other : one;
    }
}
