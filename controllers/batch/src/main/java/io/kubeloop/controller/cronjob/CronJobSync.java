/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.CronJobSpec;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.batch.JobStatus;
import io.kubeloop.api.batch.JobTemplateSpec;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one CronJob: deletes old jobs, follows the running ones, and starts the job that is due (upstream: {@code
 * syncCronJob}).
 *
 * <p>The name of a job contains the minute for which it is scheduled. So no start happens twice, even if the status was
 * not written.
 *
 * <p>Thread-safe for different keys; one worker at a time syncs a key. Blocks.
 */
public final class CronJobSync {

    /** Annotation of jobs: the time for which the job was scheduled. */
    static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";

    private static final Logger LOG = LoggerFactory.getLogger(CronJobSync.class);
    private static final DateTimeFormatter RFC_1123 = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM uuuu HH:mm:ss xx", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final ControllerMetric SKEW = ControllerMetric.histogram(
            "cronjob_controller_job_creation_skew_duration_seconds",
            "Seconds from the scheduled time of a job to its creation",
            1,
            10);

    private final Lister<CronJob> cronJobs;
    private final Lister<Job> jobs;
    private final CronJobWrites writes;
    private final CronZones zones;
    private final JobHistory history;
    private final EventRecorder events;
    private final DelayingQueue<ObjectName> queue;
    private final ControllerMetrics metrics;
    private final Clock clock;

    /**
     * Creates a sync over these caches.
     *
     * @param parts the parts that the sync shares with the handlers
     */
    public CronJobSync(Lister<CronJob> cronJobs, Lister<Job> jobs, CronJobWrites writes, CronParts parts) {
        this.cronJobs = cronJobs;
        this.jobs = jobs;
        this.writes = writes;
        zones = parts.zones();
        events = parts.events();
        queue = parts.queue();
        metrics = parts.metrics();
        metrics.present(SKEW);
        clock = parts.clock();
        history = new JobHistory(writes);
    }

    /**
     * Syncs one CronJob. Blocks until every write has its response.
     *
     * @throws RuntimeException the first failure; the caller must retry the key
     */
    public void syncCronJob(ObjectName key) {
        if (writes.cronJobs().isBehind(key)) {
            LOG.debug("CronJob {}: the caches do not show the last writes yet", key);
            return;
        }
        CronJob cached = cronJobs.get(key);
        if (cached == null) {
            LOG.debug("CronJob {} does not exist any more", key);
            writes.cronJobs().forget(key);
            return;
        }
        CronRun run = new CronRun(cached, events);
        List<Job> owned = jobs.list(key.namespace(), job -> {
            OwnerReference owner = job.metadata().controller();
            return owner != null && owner.uid().equals(cached.metadata().uid());
        });
        history.clean(run, owned);
        RuntimeException error = null;
        Duration untilNext = null;
        try {
            untilNext = sync(run, owned);
        } catch (RuntimeException e) {
            error = e; // what is known so far is written nevertheless
        }
        if (run.hasChanged()) {
            writes.cronJobs().updateStatus(run.cron());
        }
        if (error != null) {
            throw error;
        }
        if (untilNext != null) {
            queue.addAfter(key, untilNext);
        }
    }

    /** Returns the time until the next start; null if a change of the CronJob must come first. */
    private @Nullable Duration sync(CronRun run, List<Job> owned) {
        owned.forEach(job -> follow(run, job));
        Set<String> uids = owned.stream().map(job -> job.metadata().uid()).collect(Collectors.toSet());
        for (ObjectReference active : run.active()) {
            if (!uids.contains(active.uid())
                    && writes.find(new ObjectName(active.namespace(), active.name())) == null) {
                run.normal("MissingJob", "Active job went missing: " + active.name());
                run.removeActive(active.uid());
            }
        }
        if (run.cron().metadata().isDeleting()) {
            return null;
        }
        CronSchedule schedule = schedule(run);
        return schedule == null ? null : startIfDue(run, schedule);
    }

    /** Records the outcome of a job in the status. */
    private void follow(CronRun run, Job job) {
        String uid = job.metadata().uid();
        String name = job.metadata().name();
        JobCondition end = job.finishedCondition();
        boolean isActive = run.isActive(uid);
        if (end == null) {
            if (!isActive) {
                followUnknown(run, uid, name);
            }
            return;
        }
        if (isActive) {
            run.removeActive(uid);
            run.normal("SawCompletedJob", "Saw completed job: " + name + ", condition: " + end.type());
        }
        Time completion = job.status().completionTime();
        Time last = run.cron().status().lastSuccessfulTime();
        if (end.type().equals(JobCondition.COMPLETE)
                && completion != null
                && (last == null || completion.compareTo(last) > 0)) {
            run.succeeded(completion);
        }
    }

    /** The cache may be behind the status, or another client has created a job with this owner. */
    private void followUnknown(CronRun run, String uid, String name) {
        CronJob live = writes.readCronJob(run.cron().objectName());
        if (live.status().active().stream().anyMatch(active -> active.uid().equals(uid))) {
            run.replace(live);
        } else {
            run.warning("UnexpectedJob", "Saw a job that the controller did not create or forgot: " + name);
        }
    }

    /** Returns the schedule; null if there is none that can be used, or the CronJob is suspended. */
    private @Nullable CronSchedule schedule(CronRun run) {
        CronJobSpec spec = run.cron().spec();
        String zone = spec.timeZone();
        if (zone != null && !zones.isKnown(zone)) {
            run.warning("UnknownTimeZone", "invalid timeZone: \"" + zone + "\": unknown time zone " + zone);
            return null;
        }
        if (Boolean.TRUE.equals(spec.suspend())) {
            return null;
        }
        if (spec.schedule().contains("TZ")) {
            run.warning(
                    "UnsupportedSchedule",
                    "CRON_TZ or TZ used in schedule \"" + spec.schedule() + "\" is not officially supported, see"
                            + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details");
        }
        try {
            return zones.schedule(spec);
        } catch (CronSyntaxException e) {
            run.warning(
                    "UnparseableSchedule",
                    "unparseable schedule: \"" + zones.withZone(spec) + "\" : " + Errors.text(e));
            return null;
        }
    }

    private @Nullable Duration startIfDue(CronRun run, CronSchedule schedule) {
        Instant now = clock.instant();
        CronJob cron = run.cron();
        StartTimes times;
        try {
            times = StartTimes.of(cron, now, schedule, true);
        } catch (CronSyntaxException e) {
            run.warning("InvalidSchedule", "invalid schedule: " + cron.spec().schedule() + " : " + Errors.text(e));
            return null;
        }
        Instant due = times.latest();
        if (due != null && times.areMany()) {
            run.warning(
                    "TooManyMissedTimes",
                    "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew");
        }
        if (due == null || !mayStart(run, due, now)) {
            return StartTimes.untilNext(run.cron(), now, schedule);
        }
        if (cron.spec().concurrencyPolicy().equals(CronJobSpec.REPLACE)) {
            run.active().forEach(active -> replace(run, active));
        }
        return start(run, due) ? StartTimes.untilNext(run.cron(), now, schedule) : null;
    }

    private static boolean mayStart(CronRun run, Instant due, Instant now) {
        CronJob cron = run.cron();
        Long deadline = cron.spec().startingDeadlineSeconds();
        if (deadline != null && due.plusSeconds(deadline).isBefore(now)) {
            run.warning("MissSchedule", "Missed scheduled time to start a job: " + RFC_1123.format(due));
            return false;
        }
        boolean hasStarted = run.active().stream()
                        .anyMatch(active -> active.name().equals(jobName(cron, due))
                                && active.namespace().equals(cron.metadata().namespace()))
                || new Time(due).equals(cron.status().lastScheduleTime());
        if (hasStarted) {
            return false;
        }
        if (cron.spec().concurrencyPolicy().equals(CronJobSpec.FORBID)
                && !run.active().isEmpty()) {
            run.normal(
                    "JobAlreadyActive",
                    "Not starting job because prior execution is running and concurrency policy is Forbid");
            return false;
        }
        return true;
    }

    private void replace(CronRun run, ObjectReference active) {
        ObjectName name = new ObjectName(active.namespace(), active.name());
        Job job;
        try {
            job = writes.readJob(name);
        } catch (RuntimeException e) {
            run.warning("FailedGet", "Get job: " + Errors.text(e));
            throw e;
        }
        if (!history.delete(run, job)) {
            throw new ControllerException("could not replace job " + name, null);
        }
    }

    /** Starts the job of this time. Returns false if the job exists already and needs nothing. */
    private boolean start(CronRun run, Instant due) {
        CronJob cron = run.cron();
        Job wanted = job(cron, due);
        Job job;
        try {
            job = writes.create(cron.objectName(), wanted);
            run.normal("SuccessfulCreate", "Created job " + job.metadata().name());
            Time created = job.metadata().creationTimestamp();
            if (created != null) {
                metrics.record(SKEW, Duration.between(due, created.instant()).toMillis() / 1e3);
            }
        } catch (ApiException e) {
            if (!e.isAlreadyExists()) {
                if (!Errors.isNamespaceTerminating(e)) {
                    run.warning("FailedCreate", "Error creating job: " + Errors.text(e));
                }
                throw e;
            }
            // The status was not written after the creation, or somebody else has created the job.
            job = writes.readJob(wanted.objectName());
            OwnerReference owner = job.metadata().controller();
            String uid = job.metadata().uid();
            if (owner == null || !owner.uid().equals(cron.metadata().uid()) || run.isActive(uid)) {
                return false;
            }
        } catch (RuntimeException e) {
            run.warning("FailedCreate", "Error creating job: " + Errors.text(e));
            throw e;
        }
        run.started(job, new Time(due));
        return true;
    }

    /** Returns the name of the job of this time: it ends with the minutes since 1970. */
    static String jobName(CronJob cron, Instant due) {
        return cron.metadata().name() + "-" + due.getEpochSecond() / 60;
    }

    private Job job(CronJob cron, Instant due) {
        JobTemplateSpec template = cron.spec().jobTemplate();
        Map<String, String> annotations =
                new LinkedHashMap<>(template.metadata().annotations());
        annotations.put(
                SCHEDULED,
                DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                        due.atZone(zones.ofAnnotation(cron.spec())).toOffsetDateTime()));
        return Job.of(
                ObjectMetaBuilder.builder()
                        .name(jobName(cron, due))
                        .namespace(cron.metadata().namespace())
                        .labels(template.metadata().labels())
                        .annotations(annotations)
                        .ownerReferences(List.of(ControllerRefs.newControllerRef(ResourceTypes.CRON_JOBS, cron)))
                        .build(),
                template.spec(),
                JobStatus.EMPTY);
    }
}
