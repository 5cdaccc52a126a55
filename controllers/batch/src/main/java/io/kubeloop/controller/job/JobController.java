/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.parallel.ParallelExecutor;
import io.kubeloop.controller.pods.PodCache;
import io.kubeloop.controller.pods.PodControl;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;

/**
 * Runs the pods of Jobs until enough of them have succeeded, or too many have failed (upstream: {@code
 * job.Controller}).
 *
 * <p>Promised: a job never has more active pods than its {@code parallelism} by the controller's own creations, and
 * each pod that has ended counts exactly once. It adopts and releases pods only by their controller reference.
 *
 * <p>Thread-safe. {@link #syncJob}, {@link #awaitTermination} and {@link #close} block.
 */
public final class JobController implements CompositeController {

    // Threads: handlers run on the informers' threads, syncs on the workers of two loops, parallel writes on the
    // executor. They share the queues and the barrier of writes, which are thread-safe.

    private static final String NAME = "job";
    private static final String ORPHANS = "job_orphan_pod";
    private static final String COMPONENT = "job-controller";
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);
    private static final int PARALLEL_WRITES = 64;

    private final ControllerGroup loops;
    private final JobSync sync;

    private JobController(ControllerContext context) {
        KubeClient client = context.clients().apply(COMPONENT);
        SharedInformer<Job> jobs = context.informers().informer(ResourceTypes.JOBS);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        PodCache podCache = PodCache.indexed(pods);
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = queue(queueConfig);
        RateLimitingQueue<OrphanKey> orphans = queue(context.queues().apply(ORPHANS));
        EventRecorder events = context.recorders().apply(COMPONENT);
        WriteBarrier barrier = new WriteBarrier(
                ControllerTime.steady(queueConfig.scheduler()),
                queue::add,
                resource -> context.metrics().staleSync(NAME, resource));
        JobWrites writes = new JobWrites(client, barrier.owners(ResourceTypes.JOBS, client, jobs), pods.lister(), pods);
        JobMetrics metrics = new JobMetrics(context.metrics(), context.clock());
        ParallelExecutor executor = new ParallelExecutor(NAME, PARALLEL_WRITES, context.threads());
        sync = new JobSync(
                jobs.lister(),
                new JobClaims(client, podCache, writes),
                new JobParts(writes, new PodControl(client, events), executor, metrics, context.clock()),
                events,
                queue);
        OrphanPods orphanPods = new OrphanPods(jobs.lister(), podCache, client.resource(ResourceTypes.PODS));
        JobHandlers handlers = new JobHandlers(jobs.lister(), queue, orphans, metrics);
        List<Registration> registrations =
                List.of(jobs.addHandler(handlers.ofJobs()), pods.addHandler(handlers.ofPods()));
        var loop = new ControllerLoop<>(NAME, queue, sync::syncJob, registrations, context.threads());
        var orphanLoop = new ControllerLoop<>(ORPHANS, orphans, orphanPods::sync, registrations, context.threads());
        loops = ControllerGroup.named(NAME).with(loop).with(orphanLoop).with(executor);
    }

    private static <T> RateLimitingQueue<T> queue(WorkQueueConfig config) {
        return WorkQueues.rateLimiting(config, RateLimiters.exponential(FIRST_RETRY, LONGEST_RETRY));
    }

    /** Creates the controller ({@code job}), registered with its informers and not started. */
    public static JobController of(ControllerContext context) {
        return new JobController(context);
    }

    /**
     * Syncs one job once. For workers and tests; two threads must not sync the same key at a time. Blocks until every
     * write has its response.
     *
     * @throws RuntimeException the first failure; a later try may succeed
     */
    public void syncJob(ObjectName key) {
        sync.syncJob(key);
    }

    /** Returns the loop for jobs and the loop for pods that have lost their job, with the same number of workers. */
    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
