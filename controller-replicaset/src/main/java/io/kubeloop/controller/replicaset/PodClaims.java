/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.PodControl;
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import java.time.Clock;
import java.util.List;

/**
 * Adopts and releases pods, and records each patch until the cache shows it. After an adoption, another event often
 * causes a sync at once, while the cache still shows the orphan. Upstream patches the pod again then.
 *
 * <p>Thread-safe: workers call it for different owners.
 */
final class PodClaims {

    private final KubeClient client;
    private final PodControl podControl;
    private final RecentWrites<Pod> patched;

    PodClaims(KubeClient client, PodControl podControl, Clock clock) {
        this.client = client;
        this.podControl = podControl;
        this.patched = new RecentWrites<>(client.resource(ResourceTypes.PODS), clock);
    }

    /** Returns the pods as cached, or as patched since. O(n). */
    List<Pod> latest(List<Pod> cached) {
        return cached.stream().map(patched::latest).toList();
    }

    /**
     * Adopts and releases pods, and returns those that the owner controls afterwards, in the given order. Blocks while
     * it patches.
     *
     * @param candidates the pods as returned by {@link #latest} or by the server
     * @throws RuntimeException if a patch failed, after all candidates were processed
     */
    <T extends KubeObject> List<Pod> claim(
            ResourceType<T> ownerType, T owner, Selector selector, List<Pod> candidates) {
        return new ControllerRefManager<>(
                        ownerType,
                        owner,
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, ownerType, owner),
                        "Pod",
                        this::patch)
                .claim(candidates);
    }

    /**
     * Patches a pod. Blocks.
     *
     * @param pod the pod as returned by {@link #latest} or by the server
     */
    private void patch(Pod pod, Patch patch) {
        patched.forgetExpired();
        patched.write(
                pod.objectName(), pod.metadata().resourceVersion(), () -> podControl.patchPod(pod.objectName(), patch));
    }
}
