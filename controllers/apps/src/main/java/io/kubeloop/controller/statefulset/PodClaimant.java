/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import java.util.List;

/** Adopts and releases the pods of sets. Thread-safe for different sets; {@link #claim} blocks while it patches. */
final class PodClaimant {

    private final KubeClient client;
    private final ResourceClient<Pod> pods;
    private final ChildIndex<Pod> cache;
    private final ChildWrites<Pod> writes;

    PodClaimant(KubeClient client, ChildIndex<Pod> cache, ChildWrites<Pod> writes) {
        this.client = client;
        this.cache = cache;
        this.writes = writes;
        pods = client.resource(ResourceTypes.PODS);
    }

    /** Returns the pods that the set controls afterwards. A sync calls this once. */
    List<Pod> claim(StatefulSet set, Selector selector) {
        return new ControllerRefManager<Pod>(
                        ResourceTypes.STATEFUL_SETS,
                        set,
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, ResourceTypes.STATEFUL_SETS, set),
                        "Pod",
                        (pod, patch) -> writes.write(set.objectName(), pod, () -> pods.patch(pod.objectName(), patch)))
                .claim(writes.latest(set, cache), pod -> isMember(set, pod));
    }

    /** A pod whose name does not belong to the set is released although the set selects it. */
    private static boolean isMember(StatefulSet set, Pod pod) {
        return Ordinals.setName(pod.metadata().name()).equals(set.metadata().name());
    }
}
