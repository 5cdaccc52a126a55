/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.events.ObjectReferences;
import io.kubeloop.controller.parallel.ParallelCalls;
import io.kubeloop.controller.parallel.SlowStartBatch;
import io.kubeloop.controller.pods.ActivePodsWithRanks;
import io.kubeloop.controller.pods.PodControl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes the pods of a job (upstream: {@code manageJob}). A sync does only one of both, for at most 500
 * pods.
 *
 * <p>Thread-safe for different jobs. Blocks until every write has its response.
 */
final class JobScaler {

    private static final int MOST_WRITES = 500;

    private final JobWrites writes;
    private final PodControl podControl;
    private final Executor executor;
    private final JobMetrics metrics;

    /** Creates a scaler; the clock of the metrics is the time of day. */
    JobScaler(JobWrites writes, PodControl podControl, Executor executor, JobMetrics metrics) {
        this.writes = writes;
        this.podControl = podControl;
        this.executor = executor;
        this.metrics = metrics;
    }

    /**
     * The outcome of scaling.
     *
     * @param error the first failure, or null
     * @param delay the time until pods may be created; null if none had to wait
     * @param action the change that was made, as metrics name it
     */
    record Result(
            @Nullable RuntimeException error, @Nullable Duration delay, String action) {

        private static final String CREATED = "pods_created";
        private static final Result NOTHING = new Result(null, null, "tracking");

        private static Result deleted(@Nullable RuntimeException error) {
            return new Result(error, null, "pods_deleted");
        }
    }

    /** Creates or deletes pods until the job has the wanted number of active pods. */
    Result scale(JobRun run, PodBackoff.Failures failures) {
        Job job = run.job();
        if (Jobs.isSuspended(job)) {
            return Result.deleted(delete(run, run.activePods, true));
        }
        int wanted = wanted(run);
        List<Pod> surplus = surplus(run, Math.max(0, run.active - wanted));
        if (!surplus.isEmpty()) {
            return Result.deleted(delete(run, surplus.subList(0, Math.min(surplus.size(), MOST_WRITES)), true));
        }
        int missing = wanted - run.active - (Jobs.replacesOnlyFailed(job) ? run.terminating : 0);
        return missing > 0 ? create(run, missing, failures) : Result.NOTHING;
    }

    /** Returns the wanted number of active pods. */
    private static int wanted(JobRun run) {
        Job job = run.job();
        Integer completions = job.spec().completions();
        int most = Jobs.parallelism(job);
        if (completions == null) {
            // After one success no pod is started, and the others may end.
            return run.succeeded > 0 ? run.active : most;
        }
        return Math.max(0, Math.min(most, completions - run.succeeded));
    }

    /** Returns at least this many pods to delete: in an Indexed job also those without a valid index of their own. */
    private static List<Pod> surplus(JobRun run, int atLeast) {
        Job job = run.job();
        List<Pod> left = new ArrayList<>(run.activePods);
        List<Pod> surplus = new ArrayList<>();
        if (Jobs.isIndexed(job)) {
            Map<Integer, List<Pod>> byIndex = run.activePods.stream().collect(Collectors.groupingBy(PodIndexes::of));
            byIndex.forEach((index, pods) -> {
                boolean isValid = PodIndexes.isValid(pods.get(0), Jobs.completions(job));
                List<Pod> ordered = ActivePodsWithRanks.inDeletionOrder(pods);
                surplus.addAll(isValid ? ordered.subList(0, ordered.size() - 1) : ordered);
            });
            left.removeAll(surplus);
        }
        if (surplus.size() < atLeast) {
            surplus.addAll(ActivePodsWithRanks.inDeletionOrder(left).subList(0, atLeast - surplus.size()));
        }
        return surplus;
    }

    /**
     * Deletes pods.
     *
     * @param untracked whether the pods lose their finalizer first, because they must not count; else the sync counts
     *     them
     * @return the first failure, or null
     */
    @Nullable
    RuntimeException delete(JobRun run, List<Pod> pods, boolean untracked) {
        Job job = run.job();
        ObjectReference regarding = ObjectReferences.of(ResourceTypes.JOBS, job);
        AtomicInteger deleted = new AtomicInteger();
        AtomicInteger deletedReady = new AtomicInteger();
        List<Runnable> calls = pods.stream()
                .<Runnable>map(pod -> () -> {
                    if (untracked && Jobs.isTracked(pod)) {
                        writes.release(job, pod);
                    }
                    writes.delete(job, pod, () -> podControl.deletePod(pod.objectName(), regarding));
                    deleted.incrementAndGet();
                    deletedReady.addAndGet(pod.isReady() ? 1 : 0);
                })
                .toList();
        RuntimeException error = ParallelCalls.run(calls, executor).error();
        run.active -= deleted.get();
        run.terminating += deleted.get();
        run.ready -= deletedReady.get();
        return error;
    }

    private Result create(JobRun run, int missing, PodBackoff.Failures failures) {
        Job job = run.job();
        Instant now = metrics.clock().instant();
        if (!Jobs.hasLimitPerIndex(job)) {
            Duration delay = failures.remaining(now);
            if (!delay.isZero()) {
                return new Result(null, delay, Result.CREATED);
            }
        }
        int count = Math.min(missing, MOST_WRITES);
        if (!Jobs.isIndexed(job)) {
            Pod pod = JobPodTemplates.pod(job);
            return new Result(create(run, count, call -> pod), null, Result.CREATED);
        }
        List<Integer> pending = pendingIndexes(run, count);
        List<Integer> due = pending.stream()
                .filter(index -> delay(run, index, now).isZero())
                .toList();
        if (due.isEmpty() && !pending.isEmpty()) {
            return new Result(
                    null,
                    pending.stream()
                            .map(index -> delay(run, index, now))
                            .min(Comparator.naturalOrder())
                            .orElseThrow(),
                    Result.CREATED);
        }
        RuntimeException error = create(run, due.size(), call -> {
            int index = due.get(call);
            return JobPodTemplates.pod(job, index, run.lastFailed.get(index));
        });
        return new Result(error, null, Result.CREATED);
    }

    private static Duration delay(JobRun run, int index, Instant now) {
        return PodBackoff.remainingOfIndex(run.lastFailed.get(index), now);
    }

    private static List<Integer> pendingIndexes(JobRun run, int count) {
        Job job = run.job();
        IndexIntervals taken = run.completedIndexes.with(PodIndexes.of(run.activePods));
        if (Jobs.replacesOnlyFailed(job)) {
            taken = taken.with(PodIndexes.of(
                    run.pods.stream().filter(Pods::isPodTerminating).toList()));
        }
        if (run.failedIndexes != null) {
            taken = taken.union(run.failedIndexes);
        }
        return taken.lowestAbsent(Jobs.completions(job), count);
    }

    private @Nullable RuntimeException create(JobRun run, int count, IntFunction<Pod> pods) {
        Job job = run.job();
        ObjectReference regarding = ObjectReferences.of(ResourceTypes.JOBS, job);
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger created = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        ParallelCalls.Result result = SlowStartBatch.run(count, SlowStartBatch.INITIAL_BATCH_SIZE, executor, () -> {
            Pod wanted = pods.apply(calls.getAndIncrement());
            try {
                podControl.createPod(wanted, regarding, pod -> writes.create(job, pod));
                created.incrementAndGet();
            } catch (RuntimeException e) {
                // A retry in a terminating namespace cannot succeed; the deletion of the namespace removes the job.
                if (!Errors.isNamespaceTerminating(e)) {
                    refused.incrementAndGet();
                    throw e;
                }
            }
        });
        metrics.podsCreated(run, created.get(), refused.get());
        run.active += result.successes();
        return result.error();
    }
}
