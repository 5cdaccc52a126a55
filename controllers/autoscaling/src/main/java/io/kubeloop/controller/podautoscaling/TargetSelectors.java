/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The selectors of the objects that autoscalers scale, so two autoscalers of the same pods are found (upstream:
 * {@code selectors.BiMultimap}). An autoscaler whose scale was not read yet selects no pod.
 *
 * <p>Thread-safe.
 */
final class TargetSelectors {

    private final Map<ObjectName, Selector> selectors = new ConcurrentHashMap<>();

    void add(ObjectName autoscaler) {
        selectors.putIfAbsent(autoscaler, Selector.NOTHING);
    }

    int size() {
        return selectors.size();
    }

    void remove(ObjectName autoscaler) {
        selectors.remove(autoscaler);
    }

    /** Sets the selector of an autoscaler; returns false if it was removed. */
    boolean set(ObjectName autoscaler, Selector selector) {
        return selectors.replace(autoscaler, selector) != null;
    }

    /** Returns the autoscalers that select one of the pods, all of one namespace, by name. O(autoscalers × pods). */
    List<ObjectName> selecting(String namespace, List<Pod> pods) {
        return selectors.entrySet().stream()
                .filter(entry -> entry.getKey().namespace().equals(namespace)
                        && pods.stream()
                                .anyMatch(pod ->
                                        entry.getValue().matches(pod.metadata().labels())))
                .map(Map.Entry::getKey)
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }
}
