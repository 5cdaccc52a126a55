/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The set, its nodes and its pods in one sync. Immutable.
 *
 * @param set the set as cached or as last written
 * @param hash the hash of the set's template
 * @param eligibility which nodes fit
 * @param nodesByName all nodes
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
    static DaemonView of(DaemonSet set, String hash, List<Node> nodes, List<Pod> pods, Instant now) {
        Map<String, Node> byName = NodePods.sorted(nodes).stream()
                .collect(Collectors.toMap(
                        node -> node.metadata().name(), Function.identity(), (one, other) -> one, LinkedHashMap::new));
        return new DaemonView(set, hash, NodeEligibility.of(set), byName, NodePods.byNode(pods), now);
    }

    /** Returns the view with other pods. */
    DaemonView withPods(List<Pod> changed) {
        return new DaemonView(set, hash, eligibility, nodesByName, NodePods.byNode(changed), now);
    }

    /** Returns all nodes, in the order of their names. */
    List<Node> nodes() {
        return List.copyOf(nodesByName.values());
    }

    /** Returns the node of this name, or null. */
    @Nullable
    Node node(String name) {
        return nodesByName.get(name);
    }
}
