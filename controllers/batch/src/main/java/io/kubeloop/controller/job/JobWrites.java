/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ChildWriteOverlay;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes jobs and pods, and keeps each written state until the cache has it. The next sync then acts on its own writes,
 * even if the cache lags behind. So no pod is created or counted twice (upstream: {@code uidTrackingExpectations}, the
 * expectations of creations and deletions, and KEP-5647).
 *
 * <p>Thread-safe for different jobs; one thread at a time syncs a job. It may let others create, delete and release
 * pods. Every write blocks until the server responds.
 */
final class JobWrites {

    static final Patch REMOVE_FINALIZER = Patch.strategicMerge(
            "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"" + Jobs.FINALIZER + "\"]}}");

    private final ResourceClient<Job> jobs;
    private final ResourceClient<Pod> pods;
    private final ChildWriteOverlay<Job> writtenJobs;
    private final ChildWriteOverlay<Pod> writtenPods;

    /** The UID of each job that was synced, by key: the next one of its name is another job. */
    private final ConcurrentMap<ObjectName, String> uids = new ConcurrentHashMap<>();

    /**
     * Creates the writes of a controller.
     *
     * @param steady measures the age of written states
     * @param stale receives the resource whose cache is behind when a sync begins
     */
    JobWrites(ResourceClient<Job> jobs, ResourceClient<Pod> pods, Clock steady, Consumer<ResourceType<?>> stale) {
        this.jobs = jobs;
        this.pods = pods;
        writtenJobs = new ChildWriteOverlay<>(
                jobs, steady, (uid, job) -> job.metadata().uid().equals(uid), () -> stale.accept(ResourceTypes.JOBS));
        writtenPods =
                new ChildWriteOverlay<>(pods, steady, ChildIndex::isInReach, () -> stale.accept(ResourceTypes.PODS));
    }

    /**
     * Returns the job as cached or, if that is newer, as last written; null if the server does not have it any more.
     */
    @Nullable
    Job latest(Job cached) {
        String uid = cached.metadata().uid();
        String before = uids.put(cached.objectName(), uid);
        if (before != null && !before.equals(uid)) {
            forgetUid(before);
        }
        writtenJobs.begin(uid, List.of(cached));
        return writtenJobs.latest(uid, cached.metadata().namespace(), List.of(cached)).stream()
                .filter(job -> job.metadata().uid().equals(uid))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the pods that the job may claim, as cached or as last written.
     *
     * @param cached the pods that it controls and the orphans of its namespace
     */
    List<Pod> latestPods(Job job, List<Pod> cached) {
        String uid = job.metadata().uid();
        writtenPods.begin(uid, cached);
        return writtenPods.latest(uid, job.metadata().namespace(), cached);
    }

    /**
     * Returns whether the job must be synced again, even if no event comes; see {@link
     * ChildWriteOverlay#isAheadOfCache}.
     */
    boolean isAheadOfCache(Job job) {
        String uid = job.metadata().uid();
        return writtenJobs.isAheadOfCache(uid) || writtenPods.isAheadOfCache(uid);
    }

    Job updateStatus(Job changed) {
        return writtenJobs.write(changed.metadata().uid(), changed, () -> jobs.updateStatus(changed));
    }

    Pod create(Job job, Pod pod) {
        return writtenPods.create(job.metadata().uid(), pod);
    }

    /** Adopts or releases a pod. */
    Pod claim(Job job, Pod pod, Patch patch) {
        return writtenPods.write(job.metadata().uid(), pod, () -> pods.patch(pod.objectName(), patch));
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
            writtenPods.delete(job.metadata().uid(), pod, send);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    /** Drops the records of a job that no longer exists. */
    void forget(ObjectName job) {
        String uid = uids.remove(job);
        if (uid != null) {
            forgetUid(uid);
        }
    }

    private void forgetUid(String uid) {
        writtenJobs.forget(uid);
        writtenPods.forget(uid);
    }
}
