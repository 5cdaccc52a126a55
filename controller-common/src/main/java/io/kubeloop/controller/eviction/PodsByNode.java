/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.eviction;

import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.SharedInformer;
import java.util.List;
import java.util.Map;

/** Finds the cached pods of a node by an index, which all controllers share. Thread-safe; does not block. */
@FunctionalInterface
public interface PodsByNode {

    /** Returns the pods that are assigned to a node of this name, in no particular order. O(result). */
    List<Pod> on(String node);

    /** Adds the index to an informer, unless another controller has added it, and returns its view. */
    static PodsByNode of(SharedInformer<Pod> pods) {
        String index = "spec.nodeName";
        try {
            pods.addIndexers(Map.of(
                    index,
                    pod -> pod.spec().nodeName().isEmpty()
                            ? List.of()
                            : List.of(pod.spec().nodeName())));
        } catch (IllegalArgumentException e) {
            // Another controller has added the same index. The next call throws for any other cause.
            pods.byIndex(index, "");
        }
        return node -> pods.byIndex(index, node);
    }
}
