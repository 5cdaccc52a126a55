/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.batch.JobSpec;
import io.kubeloop.api.batch.JobStatus;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one job: claims its pods, decides whether it ends, creates or deletes pods, and counts those that have ended
 * (upstream: {@code syncJob}).
 *
 * <p>Thread-safe for different keys; one worker at a time syncs a key. Blocks.
 */
final class JobSync {

    /** The delay of syncs after events of pods, so one sync covers several. */
    static final Duration BATCH = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(JobSync.class);

    private final Lister<Job> jobs;
    private final JobClaims claims;
    private final JobWrites writes;
    private final JobScaler scaler;
    private final PodBackoff backoff = new PodBackoff();
    private final JobTracking tracking;
    private final EventRecorder events;
    private final DelayingQueue<ObjectName> queue;
    private final JobMetrics metrics;
    private final Clock clock;

    JobSync(Lister<Job> jobs, JobClaims claims, JobParts parts, EventRecorder events, DelayingQueue<ObjectName> queue) {
        this.jobs = jobs;
        this.claims = claims;
        this.events = events;
        this.queue = queue;
        metrics = parts.metrics();
        clock = parts.clock();
        writes = parts.writes();
        scaler = new JobScaler(writes, parts.podControl(), parts.executor(), metrics);
        tracking = new JobTracking(writes, backoff, events, parts.executor(), metrics, clock);
    }

    /**
     * Syncs one job. Blocks until every write has its response.
     *
     * @throws RuntimeException the first failure; the caller must retry the key
     */
    void syncJob(ObjectName key) {
        if (writes.jobs().isBehind(key)) {
            LOG.debug("Job {}: the caches do not show the last writes yet", key);
            return;
        }
        Job job = jobs.get(key);
        if (job == null) {
            LOG.debug("Job {} does not exist any more", key);
            writes.jobs().forget(key);
            backoff.forget(key);
            return;
        }
        if (Jobs.isForeign(job)) {
            LOG.debug("Job {} is managed by {}", key, job.spec().managedBy());
            return;
        }
        if (job.isFinished()) {
            backoff.forget(key);
            return;
        }
        String mode = job.spec().completionMode();
        if (!mode.isEmpty() && !mode.equals(JobSpec.NON_INDEXED) && !mode.equals(JobSpec.INDEXED)) {
            event(
                    job,
                    EventType.WARNING,
                    "UnknownCompletionMode",
                    "Skipped Job sync because completion mode is unknown");
            return;
        }
        Selector selector = selector(job);
        if (selector != null) {
            measured(job, selector);
        }
    }

    private static @Nullable Selector selector(Job job) {
        LabelSelector labels = job.spec().selector();
        try {
            return LabelSelectors.of(labels);
        } catch (InvalidSelectorException e) {
            // A retry cannot succeed; a change of the job queues it again.
            LOG.error("Cannot sync Job {}, its selector is invalid: {}", job.objectName(), e.getMessage());
            return null;
        }
    }

    private void measured(Job job, Selector selector) {
        Instant start = clock.instant();
        JobRun run = null;
        boolean isSuccess = false;
        try {
            run = new JobRun(job, claims.claim(job, selector));
            sync(run);
            isSuccess = true;
        } finally {
            metrics.synced(job, isSuccess, run == null ? JobRun.RECONCILING : run.action, start);
        }
    }

    private void sync(JobRun run) {
        JobStatus before = run.status();
        if (before.startTime() == null && !Jobs.isSuspended(run.job())) {
            run.change(status -> status.startTime(now()));
        }
        PodBackoff.Failures failures = backoff.with(run.job().objectName(), run.newlySucceeded, run.newlyFailed);
        run.end = JobEnd.of(run, clock.instant());
        RuntimeException error;
        boolean hasChanged = false;
        if (run.end == null) {
            wakeAtDeadline(run.job());
            error = scale(run, failures);
            hasChanged = completeOrSuspend(run);
        } else {
            error = scaler.delete(run, run.activePods, false);
            if (error != null) {
                run.end = null; // pods that still run could succeed: the next try ends the job
            }
        }
        hasChanged |= run.active != before.active()
                || !Objects.equals(run.ready, before.ready())
                || !Objects.equals(run.terminating, before.terminating());
        run.change(status -> status.active(run.active).ready(run.ready).terminating(run.terminating));
        tracking.track(run, hasChanged, failures);
        if (error != null) {
            throw error;
        }
    }

    private void wakeAtDeadline(Job job) {
        Duration left = JobEnd.untilDeadline(job, clock.instant());
        if (left != null) {
            queue.addAfter(job.objectName(), left);
        }
    }

    private @Nullable RuntimeException scale(JobRun run, PodBackoff.Failures failures) {
        if (run.job().metadata().isDeleting()) {
            return null;
        }
        JobScaler.Result result = scaler.scale(run, failures);
        run.action = result.action();
        Duration delay = result.delay();
        if (delay != null) {
            queue.addAfter(run.job().objectName(), delay.compareTo(BATCH) < 0 ? BATCH : delay);
        }
        return result.error();
    }

    /**
     * Ends a job whose completions are reached; else sets its condition of suspension. Returns whether the latter
     * changes.
     */
    private boolean completeOrSuspend(JobRun run) {
        Integer completions = run.job().spec().completions();
        int enough = completions == null ? 1 : completions;
        if (run.succeeded >= enough && run.active == 0) {
            run.end = JobEnd.completed(now());
            return false;
        }
        if (run.job().metadata().isDeleting()) {
            return false;
        }
        boolean suspended = Jobs.isSuspended(run.job());
        List<JobCondition> before = run.status().conditions();
        List<JobCondition> conditions = JobConditions.with(
                before,
                suspended
                        ? JobConditions.of(
                                JobCondition.SUSPENDED, JobConditions.TRUE, "JobSuspended", "Job suspended", now())
                        : JobConditions.of(
                                JobCondition.SUSPENDED, JobConditions.FALSE, "JobResumed", "Job resumed", now()));
        if (conditions == before) {
            return false;
        }
        // The deadline counts from the last resumption.
        run.change(status -> status.conditions(conditions).startTime(suspended ? null : now()));
        event(
                run.job(),
                EventType.NORMAL,
                suspended ? "Suspended" : "Resumed",
                suspended ? "Job suspended" : "Job resumed");
        return true;
    }

    private Time now() {
        return new Time(clock.instant());
    }

    private void event(Job job, String type, String reason, String message) {
        events.event(ResourceTypes.JOBS, job, type, reason, message);
    }
}
