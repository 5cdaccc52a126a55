/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.CacheProgress;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.WriteBarrier;
import java.util.List;

/**
 * Writes jobs and pods. A job is not synced again before the caches show what its last sync wrote, so no pod is created
 * or counted twice (upstream: {@code uidTrackingExpectations}, the expectations of creations and deletions, and
 * KEP-5647).
 *
 * <p>Thread-safe for different jobs; one thread at a time syncs a job. It may let others create, delete and release
 * pods. Every write blocks until the server responds.
 */
final class JobWrites {

    static final Patch REMOVE_FINALIZER = Patch.strategicMerge(
            "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"" + Jobs.FINALIZER + "\"]}}");

    private final WriteBarrier.Owners<Job> jobs;
    private final ResourceClient<Pod> pods;
    private final ChildWrites<Pod> written;

    /**
     * Creates the writes of a controller.
     *
     * @param jobs writes jobs
     * @param cached the cached pods
     * @param progress the version of that cache
     */
    JobWrites(KubeClient client, WriteBarrier.Owners<Job> jobs, Lister<Pod> cached, CacheProgress progress) {
        this.jobs = jobs;
        pods = client.resource(ResourceTypes.PODS);
        written = jobs.barrier().children(ResourceTypes.PODS, pods, cached, progress);
    }

    /** Returns the writer of jobs, which knows whether a sync must be put off. */
    WriteBarrier.Owners<Job> jobs() {
        return jobs;
    }

    /**
     * Returns the pods that the job may claim: the cached ones, or those of the server if the outcome of a write is
     * unknown.
     *
     * @param cached the pods that it controls and the orphans of its namespace
     */
    List<Pod> latestPods(Job job, List<Pod> cached) {
        return written.latest(
                job.objectName(),
                cached,
                pod -> ChildIndex.isInReach(job.metadata().uid(), pod));
    }

    Pod create(Job job, Pod pod) {
        return written.create(job.objectName(), pod);
    }

    /** Adopts or releases a pod. */
    Pod claim(Job job, Pod pod, Patch patch) {
        return written.write(job.objectName(), pod, () -> pods.patch(pod.objectName(), patch));
    }

    /** Removes the finalizer of a pod that has one. A pod that does not exist any more has none. */
    void release(Job job, Pod pod) {
        try {
            claim(job, pod, REMOVE_FINALIZER);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    /**
     * Deletes a pod. A pod that does not exist any more is as good as deleted.
     *
     * @param send sends the request
     */
    void delete(Job job, Pod pod, Runnable send) {
        try {
            written.delete(job.objectName(), pod, send);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
