/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The set, its nodes and its pods in one sync. Immutable.
 *
 * @param set the set
 * @param hash the hash of the set's template
 * @param eligibility which nodes fit
 * @param nodesByName all nodes, in the order of their names, so a sync is repeatable
 * @param pods the set's pods by node, in the order of the nodes' names
 * @param now the time of the sync
 */
record DaemonView(
        DaemonSet set,
        String hash,
        NodeEligibility eligibility,
        Map<String, Node> nodesByName,
        Map<String, List<Pod>> pods,
        Instant now) {

    /** Returns a view of these nodes and pods. O(n log n). */
    static DaemonView of(DaemonSet set, String hash, List<Node> nodes, Map<String, List<Pod>> pods, Instant now) {
        Map<String, Node> byName = new TreeMap<>();
        nodes.forEach(node -> byName.put(node.metadata().name(), node));
        return new DaemonView(set, hash, NodeEligibility.of(set), byName, pods, now);
    }

    /** Returns all nodes, in the order of their names. */
    Collection<Node> nodes() {
        return nodesByName.values();
    }

    /** Returns the node of this name, or null. */
    @Nullable
    Node node(String name) {
        return nodesByName.get(name);
    }
}
