/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.pods.ActivePodsWithRanks;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the pods that a scale down deletes (upstream: {@code getPodsToDelete}), and records their age. Pods on nodes
 * that have many pods of the same Deployment go first, and the remaining pods are spread. Thread-safe.
 *
 * @param caches the owners and pods that are related
 * @param metrics receives the ages
 * @param clock the time of day
 */
record DeletionOrder<T extends KubeObject>(ReplicaSetSync.Caches<T> caches, ControllerMetrics metrics, Clock clock) {

    private static final Logger LOG = LoggerFactory.getLogger(DeletionOrder.class);

    static final ControllerMetric RATIO = ControllerMetric.histogram(
            "replicaset_controller_sorting_deletion_age_ratio",
            "Age of a deleted ready pod in multiples of the youngest ready pod's age, rounded down",
            0.25,
            6);

    /** Returns this many of the active pods. The pods are ranked only if some of them remain. */
    List<Pod> podsToDelete(ReplicaView<T> owner, List<Pod> active, int count) {
        if (count == active.size()) {
            return active;
        }
        Map<String, Integer> onNode = relatedPodsByNode(owner);
        List<Pod> ordered = ActivePodsWithRanks.inDeletionOrder(
                active, pod -> onNode.getOrDefault(pod.spec().nodeName(), 0), clock.instant());
        recordAges(ordered, count);
        return ordered.subList(0, count);
    }

    /**
     * Counts, for each node, the active pods of all ReplicaSets that one Deployment controls (upstream: {@code
     * getIndirectlyRelatedPods}). Empty for an owner without a controller.
     */
    private Map<String, Integer> relatedPodsByNode(ReplicaView<T> owner) {
        OwnerReference controller = owner.metadata().controller();
        if (controller == null) {
            return Map.of();
        }
        Map<String, Pod> related = new LinkedHashMap<>();
        for (T sibling : siblings(caches.owners().list(owner.namespace()), controller)) {
            try {
                Selector selector = caches.kind().view(sibling).selector();
                caches.pods()
                        .list(
                                owner.namespace(),
                                pod -> selector.matches(pod.metadata().labels()))
                        .forEach(pod -> related.put(pod.metadata().uid(), pod));
            } catch (InvalidSelectorException e) {
                LOG.warn(
                        "Cannot rank the pods of {} {}, its selector is invalid; they do not count: {}",
                        caches.kind().type(),
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

    /**
     * Records the ages of the ready pods to delete, relative to those of all ready pods (upstream: {@code
     * reportSortingDeletionAgeRatioMetric}). O(pods).
     */
    void recordAges(List<Pod> ordered, int deleted) {
        Instant now = clock.instant();
        readyAges(ordered, now)
                .min()
                .ifPresent(youngest -> readyAges(ordered.subList(0, deleted), now)
                        .map(age -> age / youngest)
                        .forEach(ratio -> metrics.record(RATIO, (double) ratio)));
    }

    private static LongStream readyAges(List<Pod> pods, Instant now) {
        return pods.stream()
                .filter(Pod::isReady)
                .map(pod -> pod.metadata().creationTimestamp())
                .filter(Objects::nonNull)
                .mapToLong(created -> age(created, now));
    }

    /** Returns an age in milliseconds, at least 1: clocks of servers differ. */
    private static long age(Time created, Instant now) {
        return Math.max(1, Duration.between(created.instant(), now).toMillis());
    }
}
