/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.Pods;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts, for each node, the pods of all ReplicaSets that one Deployment controls (upstream:
 * {@code getIndirectlyRelatedPods} and {@code getPodsRankedByRelatedPodsOnSameNode}). A scale down deletes pods on
 * crowded nodes first, so that the remaining pods are spread. Stateless.
 */
final class RelatedPods {

    private static final Logger LOG = LoggerFactory.getLogger(RelatedPods.class);

    private RelatedPods() {}

    /** Returns the number of active related pods by node; empty for an owner without a controller. */
    static <T extends KubeObject> Map<String, Integer> countByNode(ReplicaView<T> owner, ReplicaCaches<T> caches) {
        ReplicaKind<T> kind = caches.kind();
        OwnerReference controller = owner.metadata().controller();
        if (controller == null) {
            return Map.of();
        }
        Map<String, Pod> related = new LinkedHashMap<>();
        for (T sibling : siblings(caches.owners().list(owner.namespace()), controller)) {
            try {
                Selector selector = kind.view(sibling).selector();
                caches.pods()
                        .list(
                                owner.namespace(),
                                pod -> selector.matches(pod.metadata().labels()))
                        .forEach(pod -> related.put(pod.metadata().uid(), pod));
            } catch (InvalidSelectorException e) {
                LOG.warn(
                        "Cannot rank the pods of {} {}, its selector is invalid; they do not count: {}",
                        kind.type(),
                        sibling.objectName(),
                        e.getMessage());
            }
        }
        Map<String, Integer> counts = new HashMap<>();
        related.values().stream()
                .filter(Pods::isPodActive)
                .forEach(pod -> counts.merge(pod.spec().nodeName(), 1, Integer::sum));
        return counts;
    }

    private static <T extends KubeObject> List<T> siblings(List<T> owners, OwnerReference controller) {
        return owners.stream()
                .filter(owner -> {
                    OwnerReference other = owner.metadata().controller();
                    return other != null && other.uid().equals(controller.uid());
                })
                .toList();
    }
}
