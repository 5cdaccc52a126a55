/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.pods.PodCache;
import io.kubeloop.controller.pods.PodControl;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.SimulatedQueue;
import java.time.Clock;

/** The job controller in a simulated process. */
final class SimulatedJobManager {

    final LaggingCache<Job> jobs = new LaggingCache<>();
    final LaggingCache<Pod> pods = new LaggingCache<>();

    /** The sums of the recorded counters by name and labels, without the durations. */
    final FakeMetrics recorded = new FakeMetrics();

    private final SimulatedProcess process;
    private final SimulatedQueue<OrphanKey> orphans;
    private final JobSync sync;
    private final OrphanPods orphanPods;

    SimulatedJobManager(SimulatedProcess process, Clock clock) {
        this.process = process;
        orphans = new SimulatedQueue<>(clock);
        KubeClient client = process.client();
        WriteBarrier barrier = new WriteBarrier(clock, process.queue::add);
        JobWrites writes = new JobWrites(client, barrier.owners(ResourceTypes.JOBS, client, jobs), pods, pods);
        FakeRecorder events = new FakeRecorder();
        PodCache podCache = PodCache.of(pods);
        JobMetrics metrics = new JobMetrics(recorded, clock);
        sync = new JobSync(
                jobs,
                new JobClaims(client, podCache, writes),
                new JobParts(writes, new PodControl(client, events), Runnable::run, metrics, clock),
                events,
                process.queue);
        orphanPods = new OrphanPods(jobs, podCache, client.resource(ResourceTypes.PODS));
        JobHandlers handlers = new JobHandlers(jobs, process.queue, orphans, metrics);
        process.cache(ResourceTypes.JOBS, jobs, handlers.ofJobs());
        process.cache(ResourceTypes.PODS, pods, handlers.ofPods());
    }

    void syncJob(ObjectName key) {
        sync.syncJob(key);
    }

    /** Takes a key from a queue and syncs it; returns what came of it, or an empty text if no key was due. */
    String processNextWorkItem() {
        String outcome = process.processNextWorkItem(this::syncJob);
        return outcome.isEmpty() ? orphans.process(orphanPods::sync) : outcome;
    }
}
