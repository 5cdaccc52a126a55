/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ChildEvents;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.ZoneId;
import java.util.List;

/**
 * Creates Jobs by the schedules of CronJobs (upstream: {@code cronjob.ControllerV2}).
 *
 * <p>Promised: no start of a schedule happens twice, because the job's name contains the scheduled minute. A start that
 * was missed happens late, once, unless it is later than {@code startingDeadlineSeconds}.
 *
 * <p>Thread-safe. {@link #syncCronJob}, {@link #awaitTermination} and {@link #close} block.
 */
public final class CronJobController implements SingleLoopController {

    private static final String NAME = "cronjob";
    private static final String COMPONENT = "cronjob-controller";

    private final ControllerLoop<ObjectName> loop;
    private final CronJobSync sync;

    private CronJobController(ControllerContext context, ZoneId local) {
        KubeClient client = context.clients().apply(COMPONENT);
        SharedInformer<CronJob> cronJobs = context.informers().informer(ResourceTypes.CRON_JOBS);
        SharedInformer<Job> jobs = context.informers().informer(ResourceTypes.JOBS);
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(queueConfig);
        CronParts parts = new CronParts(
                new CronZones(local), context.recorders().apply(COMPONENT), queue, context.metrics(), context.clock());
        WriteBarrier barrier = new WriteBarrier(ControllerTime.steady(queueConfig.scheduler()), queue::add)
                .follow(ResourceTypes.JOBS, jobs);
        sync = new CronJobSync(
                cronJobs.lister(),
                jobs.lister(),
                new CronJobWrites(client, barrier.owners(ResourceTypes.CRON_JOBS, client, cronJobs)),
                parts);
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncCronJob,
                List.of(
                        cronJobs.addHandler(new CronJobHandlers(parts)),
                        jobs.addHandler(new ChildEvents<>(
                                ResourceTypes.CRON_JOBS,
                                cronJobs.lister(),
                                cron -> null, // a CronJob adopts no jobs
                                queue,
                                (cron, old, current) -> {}))),
                context.threads());
    }

    /**
     * Creates the controller ({@code cronjob}), registered with its informers and not started.
     *
     * @param local the time zone of CronJobs that name none
     */
    public static CronJobController of(ControllerContext context, ZoneId local) {
        return new CronJobController(context, local);
    }

    /**
     * Syncs one CronJob once. For workers and tests; two threads must not sync the same key at a time. Blocks until
     * every write has its response.
     *
     * @throws RuntimeException the first failure; a later try may succeed
     */
    public void syncCronJob(ObjectName key) {
        sync.syncCronJob(key);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
