package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.OwnedWrites;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes jobs and pods, and remembers what it wrote until the cache shows it. The next sync then acts on its own writes, even
 * if the cache lags behind. So no pod is created or counted twice (upstream: {@code uidTrackingExpectations}, the expectations
 * of creations and deletions, and KEP-5647).
 *
 * <p>Thread-safe for different jobs; one thread at a time syncs a job. It may let others create, delete and release pods. Every
 * write blocks until the server responds.
 */
final class JobWrites {

    // Invariants
    //   J1  A pod that lost its finalizer by a write of this controller never appears with the finalizer again.
    //   J2  A pod that was deleted by a write of this controller never appears as active again.
    // No lock: concurrent maps. A mark is removed only by the thread that syncs the job, once the cache shows the
    // change.

    static final Patch REMOVE_FINALIZER = Patch.strategicMerge(
            "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"" + Jobs.FINALIZER + "\"]}}");

    private final ResourceClient<Job> jobs;
    private final ResourceClient<Pod> pods;
    private final OwnedWrites<Job> writtenJobs;
    private final OwnedWrites<Pod> writtenPods;
    private final Clock clock;

    /** The UID of each job that was synced, by key: the next one of its name is another job. */
    private final ConcurrentMap<ObjectName, String> uids = new ConcurrentHashMap<>();

    private final ConcurrentMap<String, Marks> marks = new ConcurrentHashMap<>();

    /**
     * The UIDs of a job's pods whose change the cache does not show yet.
     *
     * @param released the pods that lost their finalizer
     * @param deleted the pods that were deleted
     */
    private record Marks(Set<String> released, Set<String> deleted) {

        Marks() {
            this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }
    }

    /**
     * Creates the writes of a controller.
     *
     * @param clock the time of day
     * @param steady measures the age of what was written
     */
    JobWrites(ResourceClient<Job> jobs, ResourceClient<Pod> pods, Clock clock, Clock steady) {
        this.jobs = jobs;
        this.pods = pods;
        this.clock = clock;
        writtenJobs = new OwnedWrites<>(
                jobs, steady, (uid, job) -> job.metadata().uid().equals(uid));
        writtenPods = new OwnedWrites<>(pods, steady, (uid, pod) -> {
            var controller = pod.metadata().controller();
            return controller == null || controller.uid().equals(uid);
        });
    }

    /** Returns the job as cached or, if that is newer, as last written; null if the server does not have it any more. */
    @Nullable
    Job latest(Job cached) {
        String uid = cached.metadata().uid();
        String before = uids.put(cached.objectName(), uid);
        if (before != null && !before.equals(uid)) {
            forgetUid(before);
        }
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
        List<Pod> latest = writtenPods.latest(uid, job.metadata().namespace(), cached);
        Marks pending = marks.get(uid);
        if (pending == null) {
            return latest;
        }
        Set<String> tracked = new HashSet<>();
        Set<String> present = new HashSet<>();
        latest.forEach(pod -> {
            if (Jobs.isTracked(pod)) {
                tracked.add(pod.metadata().uid());
            }
            if (!pod.metadata().isDeleting()) {
                present.add(pod.metadata().uid());
            }
        });
        pending.released().retainAll(tracked);
        pending.deleted().retainAll(present);
        return latest.stream().map(pod -> marked(pod, pending)).toList();
    }

    private Pod marked(Pod pod, Marks pending) {
        ObjectMeta metadata = pod.metadata();
        boolean released = pending.released().contains(metadata.uid());
        boolean deleted = pending.deleted().contains(metadata.uid());
        if (!released && !deleted) {
            return pod;
        }
        ObjectMetaBuilder changed = ObjectMetaBuilder.builder(metadata);
        if (released) {
            changed.finalizers(metadata.finalizers().stream()
                    .filter(finalizer -> !finalizer.equals(Jobs.FINALIZER))
                    .toList());
        }
        if (deleted) {
            changed.deletionTimestamp(new Time(clock.instant()));
        }
        return pod.withMetadata(changed.build());
    }

    private Marks marksOf(Job job) {
        return marks.computeIfAbsent(job.metadata().uid(), uid -> new Marks());
    }

    Job updateStatus(Job changed) {
        return writtenJobs.write(changed.metadata().uid(), changed, () -> jobs.updateStatus(changed));
    }

    Pod create(Job job, Pod pod) {
        return writtenPods.create(job.metadata().uid(), pod);
    }

    /** Adopts or releases a pod. */
    Pod claim(Job job, Pod pod, Patch patch) {
        Pod changed = patch(job, pod, patch);
        marksOf(job).released().remove(pod.metadata().uid());
        return changed;
    }

    private Pod patch(Job job, Pod pod, Patch patch) {
        return writtenPods.write(job.metadata().uid(), pod, () -> pods.patch(pod.objectName(), patch));
    }

    /** Removes the finalizer of a pod that has one. A pod that does not exist any more has none. */
    void release(Job job, Pod pod) {
        try {
            patch(job, pod, REMOVE_FINALIZER);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
        marksOf(job).released().add(pod.metadata().uid());
    }

    /**
     * Deletes a pod. A pod that does not exist any more is as good as deleted.
     *
     * @param send sends the request
     */
    void delete(Job job, Pod pod, Runnable send) {
        try {
            writtenPods.write(job.metadata().uid(), pod, () -> {
                send.run();
                return pod;
            });
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
        marksOf(job).deleted().add(pod.metadata().uid());
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
        marks.remove(uid);
    }
}
