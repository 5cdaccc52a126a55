/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.ttlafterfinished;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.DelayingQueue;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes Jobs a while after their end: {@code ttlSecondsAfterFinished} (upstream: {@code
 * ttlafterfinished.Controller}).
 *
 * <p>The cache may show an older time to live. So the controller reads the job from the server before it deletes it,
 * and deletes only the job with that UID. The deletion is in the foreground, so the pods are deleted first.
 *
 * <p>Thread-safe. {@link #syncJob}, {@link #awaitTermination} and {@link #close} block.
 */
public final class TtlAfterFinishedController implements SingleLoopController {

    private static final String NAME = "ttl-after-finished";
    private static final String QUEUE = "ttl_jobs_to_delete";
    private static final String COMPONENT = "ttl-after-finished-controller";

    private static final ControllerMetric DELETION_SECONDS = ControllerMetric.histogram(
            "ttl_after_finished_controller_job_deletion_duration_seconds",
            "Seconds from the end of a job's time to live to its deletion",
            0.1,
            14);

    private final ControllerLoop<ObjectName> loop;
    private final Sync sync;

    private TtlAfterFinishedController(ControllerContext context) {
        SharedInformer<Job> jobs = context.informers().informer(ResourceTypes.JOBS);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(QUEUE));
        sync = new Sync(
                jobs.lister(),
                context.clients().apply(COMPONENT).resource(ResourceTypes.JOBS),
                queue,
                context.metrics(),
                context.clock());
        context.metrics().present(DELETION_SECONDS);
        loop = new ControllerLoop<>(
                NAME, queue, sync::syncJob, List.of(jobs.addHandler(sync.handler())), context.threads());
    }

    /** Creates the controller ({@code ttl-after-finished}), registered with its informer and not started. */
    public static TtlAfterFinishedController of(ControllerContext context) {
        return new TtlAfterFinishedController(context);
    }

    /**
     * Checks one job once, and deletes it if its time is over. For workers and tests. Blocks until the server responds.
     *
     * @throws RuntimeException the first failure; a later try may succeed
     */
    public void syncJob(ObjectName key) {
        sync.syncJob(key);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }

    /** Checks jobs one at a time (upstream: {@code processJob}). Thread-safe for different keys. */
    record Sync(
            Lister<Job> jobs,
            ResourceClient<Job> client,
            DelayingQueue<ObjectName> queue,
            ControllerMetrics metrics,
            Clock clock) {

        ResourceEventHandler<Job> handler() {
            return new ResourceEventHandler<>() {
                @Override
                public void onAdd(Job job, boolean isInInitialList) {
                    changed(job);
                }

                @Override
                public void onUpdate(Job old, Job current) {
                    changed(current);
                }
            };
        }

        private void changed(Job job) {
            if (isLimited(job)) {
                queue.add(job.objectName());
            }
        }

        private static boolean isLimited(Job job) {
            return job.spec().ttlSecondsAfterFinished() != null
                    && job.isFinished()
                    && !job.metadata().isDeleting();
        }

        void syncJob(ObjectName key) {
            Job cached = jobs.get(key);
            if (cached == null || !isOver(cached)) {
                return;
            }
            try {
                Job live = client.get(key);
                if (isOver(live)) {
                    client.delete(
                            key,
                            new DeleteOptions(
                                    null,
                                    DeleteOptions.PropagationPolicy.FOREGROUND,
                                    live.metadata().uid(),
                                    null));
                    Duration late = Duration.between(dueTime(live), clock.instant());
                    metrics.record(DELETION_SECONDS, late);
                }
            } catch (ApiException e) {
                if (!e.isNotFound()) {
                    throw e;
                }
            }
        }

        /** Returns whether the time of the job is over. If it will be later, the job is queued for then. */
        private boolean isOver(Job job) {
            if (!isLimited(job)) {
                return false;
            }
            Duration left = Duration.between(clock.instant(), dueTime(job));
            if (left.isZero() || left.isNegative()) {
                return true;
            }
            queue.addAfter(job.objectName(), left);
            return false;
        }

        private static Instant dueTime(Job job) {
            Integer seconds = job.spec().ttlSecondsAfterFinished();
            return end(job).instant().plusSeconds(seconds == null ? 0 : seconds);
        }

        private static Time end(Job job) {
            JobCondition finished = job.finishedCondition();
            @Nullable Time end = finished == null ? null : finished.lastTransitionTime();
            if (end == null) {
                throw new ControllerException(
                        "unable to find the time when the Job " + job.objectName() + " finished", null);
            }
            return end;
        }
    }
}
