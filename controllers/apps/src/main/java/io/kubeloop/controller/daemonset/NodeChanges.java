/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.workqueue.WorkQueue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Queues the sets that a change of a node concerns (upstream: {@code syncNodeUpdate}). Handling and syncing are two
 * steps, so events of many nodes do not hold up their informer.
 *
 * <p>Thread-safe; does not block.
 */
final class NodeChanges {

    private final DaemonSetSync.Caches caches;
    private final Function<String, List<Pod>> podsOnNode;
    private final WorkQueue<ObjectName> nodes;
    private final WorkQueue<ObjectName> sets;

    /**
     * Creates a handler.
     *
     * @param podsOnNode returns the cached pods of a node
     * @param nodes receives changed nodes
     * @param sets receives the sets that must be synced
     */
    NodeChanges(
            DaemonSetSync.Caches caches,
            Function<String, List<Pod>> podsOnNode,
            WorkQueue<ObjectName> nodes,
            WorkQueue<ObjectName> sets) {
        this.caches = caches;
        this.podsOnNode = podsOnNode;
        this.nodes = nodes;
        this.sets = sets;
    }

    /** Returns the handler of events of nodes. Only labels and taints decide which pods a node gets. */
    ResourceEventHandler<Node> handler() {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Node node, boolean isInInitialList) {
                nodes.add(node.objectName());
            }

            @Override
            public void onUpdate(Node old, Node current) {
                if (!old.metadata().labels().equals(current.metadata().labels())
                        || !old.spec().taints().equals(current.spec().taints())) {
                    nodes.add(current.objectName());
                }
            }
        };
    }

    /** Queues the sets that a node concerns: they must create or delete a pod there, or count it again. O(sets). */
    void syncNode(ObjectName name) {
        Node node = caches.nodes().get(name);
        if (node == null) {
            return;
        }
        Set<ObjectName> present = new HashSet<>();
        for (Pod pod : podsOnNode.apply(name.name())) {
            OwnerReference owner = pod.metadata().controller();
            if (owner != null && owner.kind().equals(ResourceTypes.DAEMON_SETS.kind())) {
                present.add(new ObjectName(pod.metadata().namespace(), owner.name()));
            }
        }
        for (DaemonSet set : caches.sets().list()) {
            NodeEligibility eligibility = NodeEligibility.of(set);
            boolean isPresent = present.contains(set.objectName());
            if (isPresent
                    ? !eligibility.shouldContinueRunning(node) || set.status().numberMisscheduled() > 0
                    : eligibility.shouldRun(node)) {
                sets.add(set.objectName());
            }
        }
    }
}
