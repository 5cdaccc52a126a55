/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import io.kubeloop.controller.pods.PodCache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the pods of a job (upstream: {@code getPodsForJob}). Thread-safe for different jobs. */
final class JobClaims {

    private final KubeClient client;
    private final PodCache pods;
    private final JobWrites writes;

    JobClaims(KubeClient client, PodCache pods, JobWrites writes) {
        this.client = client;
        this.pods = pods;
        this.writes = writes;
    }

    /**
     * Adopts and releases pods, and returns those that the job controls afterwards. A pod gets the finalizer of jobs
     * with its adoption, and loses it with its release. Blocks while it sends patches.
     */
    List<Pod> claim(Job job, Selector selector) {
        List<Pod> candidates = writes.latestPods(
                job, pods.candidates(job.metadata().namespace(), job.metadata().uid()));
        Map<ObjectName, Pod> patched = new HashMap<>();
        List<Pod> claimed = new ControllerRefManager<Pod>(
                        ResourceTypes.JOBS,
                        job,
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, ResourceTypes.JOBS, job),
                        "Pod",
                        (pod, patch) -> patched.put(pod.objectName(), writes.claim(job, pod, patch)),
                        List.of(Jobs.FINALIZER))
                .claim(candidates);
        return claimed.stream()
                .map(pod -> patched.getOrDefault(pod.objectName(), pod))
                .toList();
    }
}
