/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ConditionBuilder;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.api.core.NodeStatusBuilder;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.events.ObjectReferences;
import io.kubeloop.controller.eviction.PodsByNode;
import io.kubeloop.json.tree.JsonObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over all nodes (upstream: {@code monitorNodeHealth}): declares silent nodes unknown, puts failed nodes into
 * the queues of their zones, and tells the zones how many have failed. Confined to the monitor's thread; {@link #pass}
 * and {@link #taint} block for requests.
 */
final class NodeMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(NodeMonitor.class);
    private static final List<String> BOTH = List.of(NodeTaints.UNREACHABLE, NodeTaints.NOT_READY);

    /**
     * What a pass reads and writes.
     *
     * @param nodes the cached nodes
     * @param pods the cached pods of a node
     * @param client writes the status of nodes
     * @param taints writes taints
     * @param readiness marks pods
     * @param events records what happens to nodes
     * @param clock the time of day
     */
    record Parts(
            Lister<Node> nodes,
            PodsByNode pods,
            ResourceClient<Node> client,
            NodeTaints taints,
            PodReadiness readiness,
            EventRecorder events,
            Clock clock) {}

    private final Parts parts;
    private final HealthRecords records;
    private final Zones zones;
    private final ControllerMetrics metrics;

    /** The nodes of the last pass. */
    private Map<String, Node> known = new HashMap<>();

    /** The nodes of which some pods could not be marked. */
    private final Set<String> unmarked = new HashSet<>();

    NodeMonitor(Parts parts, HealthRecords records, Zones zones, ControllerMetrics metrics) {
        this.parts = parts;
        this.records = records;
        this.zones = zones;
        this.metrics = metrics;
    }

    /** Looks at every node. A node that cannot be handled is handled by the next pass. */
    void pass() {
        List<Node> nodes = parts.nodes().list();
        classify(nodes);
        zones.beginPass();
        for (Node node : nodes) {
            try {
                check(node);
            } catch (RuntimeException e) {
                LOG.warn(
                        "Cannot update the health of node {}; the next pass tries again: {}",
                        node.metadata().name(),
                        e.toString());
            }
        }
        switch (zones.endPass()) {
            case ALL_FAILED -> nodes.forEach(this::markReachable);
            case RECOVERED -> records.forgive(parts.clock().instant());
            case UNCHANGED -> {}
        }
    }

    private void classify(List<Node> nodes) {
        Map<String, Node> current = new HashMap<>();
        nodes.forEach(node -> current.put(node.metadata().name(), node));
        known.forEach((name, node) -> {
            if (!current.containsKey(name)) {
                event(node, "RemovingNode", "Removing Node " + name + " from Controller");
                records.forget(name);
                zones.forget(name);
                unmarked.remove(name);
            }
        });
        current.forEach((name, node) -> {
            zones.queue(node); // a new zone begins at the normal rate
            Node last = known.get(name);
            if (last == null) {
                event(node, "RegisteredNode", "Registered Node " + name + " in Controller");
                markReachable(node);
            } else if (!Zones.key(last).equals(Zones.key(node))) {
                zones.queue(last).remove(name);
            }
        });
        known = current;
    }

    private void event(Node node, String reason, String what) {
        record(node, reason, "Node " + node.metadata().name() + " event: " + what);
    }

    private void record(Node node, String reason, String message) {
        ObjectReference reference = ObjectReferences.of(ResourceTypes.NODES, node);
        parts.events().event(reference, EventType.NORMAL, reason, message);
    }

    private void check(Node node) {
        Condition observed = NodeConditions.of(node.status(), NodeConditions.READY);
        String before = observed == null ? "Unknown" : observed.status();
        Node current = records.observe(node, parts.clock().instant()) ? declareUnknown(node) : node;
        Condition ready = NodeConditions.of(current.status(), NodeConditions.READY);
        zones.count(current, ready != null && ready.isTrue());
        if (ready == null) {
            return; // the node has never reported, and still has time
        }
        queue(current, before);
        markPods(current, before, ready);
    }

    /** Returns the node as written. */
    private Node declareUnknown(Node node) {
        Condition ready = NodeConditions.of(node.status(), NodeConditions.READY);
        if (ready != null && ready.status().equals("Unknown")) {
            return node;
        }
        List<Condition> conditions = new ArrayList<>(node.status().conditions());
        Time now = new Time(parts.clock().instant());
        for (String type : NodeConditions.REPORTED) {
            Condition last = NodeConditions.of(node.status(), type);
            if (last == null) {
                conditions.add(neverReported(node, type, now));
            } else if (!last.status().equals("Unknown")) {
                conditions.set(
                        conditions.indexOf(last),
                        ConditionBuilder.builder(last)
                                .status("Unknown")
                                .reason("NodeStatusUnknown")
                                .message("Kubelet stopped posting node status.")
                                .lastTransitionTime(now)
                                .build());
            }
        }
        Node written = parts.client()
                .updateStatus(node.withStatus(NodeStatusBuilder.builder(node.status())
                        .conditions(conditions)
                        .build()));
        records.written(written);
        return written;
    }

    private static Condition neverReported(Node node, String type, Time now) {
        Time creation = node.metadata().creationTimestamp();
        UnknownFields heartbeat = creation == null
                ? UnknownFields.NONE
                : JsonObject.EMPTY
                        .with(NodeConditions.HEARTBEAT, creation.toString())
                        .toUnknownFields();
        return ConditionBuilder.builder()
                .type(type)
                .status("Unknown")
                .reason("NodeStatusNeverUpdated")
                .message("Kubelet never posted node status.")
                .lastTransitionTime(now)
                .unknownFields(heartbeat)
                .build();
    }

    /**
     * Exchanges one taint for the other at once; a first taint waits for the rate of the zone, and so does one that
     * another client has removed.
     */
    private void queue(Node node, String ready) {
        String name = node.metadata().name();
        if (ready.equals("True")) {
            markReachable(node);
            return;
        }
        String wanted = ready.equals("False") ? NodeTaints.NOT_READY : NodeTaints.UNREACHABLE;
        String other = ready.equals("False") ? NodeTaints.UNREACHABLE : NodeTaints.NOT_READY;
        if (NodeTaints.has(node, other, Taint.NO_EXECUTE)) {
            parts.taints().swap(node, List.of(wanted), List.of(other), Taint.NO_EXECUTE);
        } else if (!NodeTaints.has(node, wanted, Taint.NO_EXECUTE)) {
            zones.queue(node).add(name);
        }
    }

    private void markReachable(Node node) {
        parts.taints().swap(node, List.of(), BOTH, Taint.NO_EXECUTE);
        zones.queue(node).remove(node.metadata().name());
    }

    private void markPods(Node node, String before, Condition ready) {
        String name = node.metadata().name();
        boolean hasFallen = before.equals("True") && !ready.isTrue();
        if (hasFallen) {
            record(node, "NodeNotReady", "Node " + name + " status is now: NodeNotReady");
        } else if (!unmarked.contains(name) || before.equals("True")) {
            unmarked.remove(name);
            return;
        }
        unmarked.add(name);
        parts.readiness().markNotReady(parts.pods().on(name));
        unmarked.remove(name);
    }

    /** Taints the nodes of a zone whose turn it is. */
    void taint(TaintQueue queue) {
        queue.process(name -> {
            Node node = known.get(name);
            if (node == null) {
                return true;
            }
            try {
                Node current = parts.client().get(node.objectName());
                String ready = NodeConditions.ready(current);
                if (!ready.equals("True")) {
                    boolean isFalse = ready.equals("False");
                    parts.taints()
                            .swap(
                                    current,
                                    List.of(isFalse ? NodeTaints.NOT_READY : NodeTaints.UNREACHABLE),
                                    List.of(isFalse ? NodeTaints.UNREACHABLE : NodeTaints.NOT_READY),
                                    Taint.NO_EXECUTE);
                    metrics.record(Zones.EVICTIONS, 1, Zones.key(current));
                }
                return true;
            } catch (RuntimeException e) {
                LOG.warn("Cannot taint node {}; it is tried again: {}", name, e.toString());
                return false;
            }
        });
    }
}
