/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ChildWriteOverlay;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import java.util.List;

/** Adopts and releases the pods of sets. Thread-safe for different sets; {@link #claim} blocks while it patches. */
final class PodClaimant {

    private final KubeClient client;
    private final ResourceClient<Pod> pods;
    private final ChildIndex<Pod> cache;
    private final ChildWriteOverlay<Pod> writes;

    PodClaimant(KubeClient client, ChildIndex<Pod> cache, ChildWriteOverlay<Pod> writes) {
        this.client = client;
        this.cache = cache;
        this.writes = writes;
        pods = client.resource(ResourceTypes.PODS);
    }

    /** Returns the pods that the set controls afterwards, as cached or as last written. A sync calls this once. */
    List<Pod> claim(StatefulSet set, Selector selector) {
        String uid = set.metadata().uid();
        String namespace = set.metadata().namespace();
        List<Pod> cached = cache.candidates(namespace, uid);
        writes.begin(uid, cached);
        List<Pod> candidates = writes.latest(uid, namespace, cached);
        return new ControllerRefManager<Pod>(
                        ResourceTypes.STATEFUL_SETS,
                        set,
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, ResourceTypes.STATEFUL_SETS, set),
                        "Pod",
                        (pod, patch) -> writes.write(uid, pod, () -> pods.patch(pod.objectName(), patch)))
                .claim(candidates, pod -> isMember(set, pod));
    }

    /**
     * Returns whether the set must be synced again, even if no event comes; see {@link
     * ChildWriteOverlay#isAheadOfCache}.
     */
    boolean isAheadOfCache(StatefulSet set) {
        return writes.isAheadOfCache(set.metadata().uid());
    }

    /** A pod whose name does not belong to the set is released although the set selects it. */
    private static boolean isMember(StatefulSet set, Pod pod) {
        return Ordinals.setName(pod.metadata().name()).equals(set.metadata().name());
    }
}
