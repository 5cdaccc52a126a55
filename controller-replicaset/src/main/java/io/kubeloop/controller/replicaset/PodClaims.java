package io.kubeloop.controller.replicaset;

import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.controller.PodControl;
import java.time.Clock;
import java.util.List;

/**
 * Adopts and releases pods, and remembers it until the cache shows it. The event that makes an owner adopt often comes with
 * another that makes it look again at once, and the cache may then still show the orphan (upstream patches it again).
 *
 * <p>Thread-safe: workers of any owners.
 */
final class PodClaims {

    private final PodControl podControl;
    private final RecentWrites<Pod> patched;

    PodClaims(PodControl podControl, Clock clock) {
        this.podControl = podControl;
        this.patched = new RecentWrites<>(clock);
    }

    /** Returns the pods as the cache shows them, or as they were patched since. O(n). */
    List<Pod> latest(List<Pod> cached) {
        return cached.stream().map(patched::latest).toList();
    }

    /**
     * Patches a pod. Blocks.
     *
     * @param pod as {@link #latest} or the server showed it
     */
    void patch(Pod pod, Patch patch) {
        patched.forgetExpired();
        RecentWrites.Entry<Pod> begun = patched.begin(pod.objectName());
        try {
            Pod written = podControl.patchPod(pod.objectName(), patch);
            patched.done(begun, pod.metadata().resourceVersion(), written);
        } catch (RuntimeException e) {
            patched.forget(pod.objectName());
            throw e;
        }
    }
}
