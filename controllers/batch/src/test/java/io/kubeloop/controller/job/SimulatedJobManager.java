/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.PodCache;
import io.kubeloop.controller.PodControl;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.leaderelection.FencedTransport;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.LateHandler;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.controller.simulation.UnreliableNetwork;
import io.kubeloop.json.JsonCodec;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** One process that runs the job controller, for one thread: its caches lag and its network fails. */
final class SimulatedJobManager {

    final LaggingCache<Job> jobs = new LaggingCache<>();
    final LaggingCache<Pod> pods = new LaggingCache<>();
    final UnreliableNetwork network;
    final LateHandler<Job> jobEvents;
    final LateHandler<Pod> podEvents;
    /** The sums of the recorded counters by name and labels, without the durations. */
    final FakeMetrics recorded = new FakeMetrics();

    private final SimulatedQueue<ObjectName> queue;
    private final SimulatedQueue<OrphanKey> orphans;
    private final JobSync sync;
    private final OrphanPods orphanPods;

    SimulatedJobManager(
            Transport server,
            Clock clock,
            Random random,
            Predicate<SimulatedJobManager> isLeading,
            Consumer<ApiRequest> beforeWrite,
            Consumer<ApiRequest> afterWrite) {
        queue = new SimulatedQueue<>(clock);
        orphans = new SimulatedQueue<>(clock);
        // As in production, leadership is checked before a write waits, and again when it is sent.
        BooleanSupplier leading = () -> isLeading.test(this);
        network = new UnreliableNetwork(new FencedTransport(server, leading), random, beforeWrite, afterWrite);
        KubeClient client = KubeClient.of(new FencedTransport(network, leading), JsonCodec.standard());
        JobWrites writes = new JobWrites(
                client.resource(ResourceTypes.JOBS), client.resource(ResourceTypes.PODS), clock, resource -> {});
        FakeRecorder events = new FakeRecorder();
        PodCache podCache = PodCache.of(pods);
        JobMetrics metrics = new JobMetrics(recorded, clock);
        sync = new JobSync(
                jobs,
                new JobClaims(client, podCache, writes),
                new JobParts(writes, new PodControl(client, events), Runnable::run, metrics, clock),
                events,
                queue);
        orphanPods = new OrphanPods(jobs, podCache, client.resource(ResourceTypes.PODS));
        JobHandlers handlers = new JobHandlers(jobs, queue, orphans, metrics);
        jobEvents = new LateHandler<>(handlers.ofJobs());
        podEvents = new LateHandler<>(handlers.ofPods());
    }

    /** Fills the caches, as a new leader does; its handlers receive the initial lists before it works. */
    void start(List<Job> jobsListed, List<Pod> podsListed) {
        jobs.start(jobsListed, jobEvents);
        jobEvents.tellAll();
        pods.start(podsListed, podEvents);
        podEvents.tellAll();
    }

    /** Takes a key from a queue and syncs it; returns what came of it, or an empty text if no key was due. */
    String processNextWorkItem() {
        String outcome = queue.process(sync::syncJob);
        return outcome.isEmpty() ? orphans.process(orphanPods::sync) : outcome;
    }
}
