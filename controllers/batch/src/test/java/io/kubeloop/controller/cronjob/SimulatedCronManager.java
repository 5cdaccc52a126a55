/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.controller.ChildEvents;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.leaderelection.FencedTransport;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.LateHandler;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.controller.simulation.UnreliableNetwork;
import io.kubeloop.json.JsonCodec;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** One process that runs the controller of CronJobs, for one thread: its caches lag and its network fails. */
final class SimulatedCronManager {

    final LaggingCache<CronJob> cronJobs = new LaggingCache<>();
    final LaggingCache<Job> jobs = new LaggingCache<>();
    final UnreliableNetwork network;
    final LateHandler<CronJob> cronEvents;
    final LateHandler<Job> jobEvents;
    final FakeRecorder events = new FakeRecorder();
    final FakeMetrics metrics = new FakeMetrics();
    private final SimulatedQueue<ObjectName> queue;
    private final CronJobSync sync;

    SimulatedCronManager(
            Transport server,
            Clock clock,
            Random random,
            Predicate<SimulatedCronManager> isLeading,
            Consumer<ApiRequest> afterWrite) {
        queue = new SimulatedQueue<>(clock);
        BooleanSupplier leading = () -> isLeading.test(this);
        network = new UnreliableNetwork(new FencedTransport(server, leading), random, request -> {}, afterWrite);
        KubeClient client = KubeClient.of(new FencedTransport(network, leading), JsonCodec.standard());
        CronParts parts = new CronParts(new CronZones(ZoneOffset.UTC), events, queue, metrics, clock);
        WriteBarrier barrier = new WriteBarrier(clock, queue::add).follow(ResourceTypes.JOBS, jobs);

        sync = new CronJobSync(
                cronJobs,
                jobs,
                new CronJobWrites(client, barrier.owners(ResourceTypes.CRON_JOBS, client, cronJobs)),
                parts);
        cronEvents = new LateHandler<>(new CronJobHandlers(parts));
        jobEvents = new LateHandler<>(new ChildEvents<CronJob, Job>(
                ResourceTypes.CRON_JOBS, cronJobs, cron -> null, queue, (cron, old, current) -> {}));
    }

    /** Fills the caches, as a new leader does; its handlers receive the initial lists before it works. */
    void start(KubeList<CronJob> cronJobsListed, KubeList<Job> jobsListed) {
        cronJobs.start(cronJobsListed, cronEvents);
        cronEvents.tellAll();
        jobs.start(jobsListed, jobEvents);
        jobEvents.tellAll();
    }

    /** Takes a key from the queue and syncs it; returns what came of it, or an empty text if no key was due. */
    String processNextWorkItem() {
        return queue.process(sync::syncCronJob);
    }
}
