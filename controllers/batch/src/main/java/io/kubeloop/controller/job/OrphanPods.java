/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.pods.PodCache;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes the job finalizer from pods whose job is deleted or has ended, so the pods can be deleted (upstream:
 * {@code syncOrphanPod}). Thread-safe; blocks.
 */
final class OrphanPods {

    private final Lister<Job> jobs;
    private final PodCache pods;
    private final ResourceClient<Pod> client;

    OrphanPods(Lister<Job> jobs, PodCache pods, ResourceClient<Pod> client) {
        this.jobs = jobs;
        this.pods = pods;
        this.client = client;
    }

    /**
     * Removes the finalizer from the pods of the key that have lost their job.
     *
     * @throws RuntimeException if a patch failed, after all pods were processed
     */
    void sync(OrphanKey key) {
        List<RuntimeException> errors = new ArrayList<>();
        for (Pod pod : find(key)) {
            try {
                release(pod);
            } catch (ApiException e) {
                errors.add(e);
            }
        }
        if (!errors.isEmpty()) {
            throw Errors.aggregate(errors);
        }
    }

    private List<Pod> find(OrphanKey key) {
        if (!key.pod().isEmpty()) {
            Pod pod = pods.get(new ObjectName(key.namespace(), key.pod()));
            return pod == null ? List.of() : List.of(pod);
        }
        return pods.list(
                key.namespace(), pod -> Jobs.isTracked(pod) && pod.metadata().controller() != null);
    }

    private void release(Pod pod) {
        if (!Jobs.isTracked(pod) || !isOrphan(pod)) {
            return;
        }
        try {
            client.patch(pod.objectName(), JobWrites.REMOVE_FINALIZER);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private boolean isOrphan(Pod pod) {
        OwnerReference owner = pod.metadata().controller();
        if (owner == null) {
            return true;
        }
        boolean isJob = owner.kind().equals(ResourceTypes.JOBS.kind())
                && owner.apiVersion().equals(ResourceTypes.JOBS.apiVersion());
        if (!isJob) {
            return false;
        }
        Job job = owner(jobs, pod.metadata().namespace(), owner);
        return job == null || (job.isFinished() && !Jobs.isForeign(job));
    }

    /** Returns the job that a reference names, or null. */
    static @Nullable Job owner(Lister<Job> jobs, String namespace, @Nullable OwnerReference reference) {
        if (reference == null || !reference.kind().equals(ResourceTypes.JOBS.kind())) {
            return null;
        }
        Job found = jobs.get(new ObjectName(namespace, reference.name()));
        return found != null && found.metadata().uid().equals(reference.uid()) ? found : null;
    }
}
