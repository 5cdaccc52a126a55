/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.cache.Lister;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps the {@code NoSchedule} taints of a node as its conditions say, and the deprecated labels of its platform as the
 * stable ones (upstream: {@code doNoScheduleTaintingPass} and {@code reconcileNodeLabels}). Thread-safe; blocks for
 * requests.
 *
 * @param nodes the cached nodes
 * @param taints writes taints
 */
record ConditionTaints(Lister<Node> nodes, NodeTaints taints) {

    private static final String PREFIX = "node.kubernetes.io/";
    private static final String UNSCHEDULABLE = PREFIX + "unschedulable";

    /** Type of a condition → its status → the taint. */
    private static final Map<String, Map<String, String>> TAINTS = Map.of(
            NodeConditions.READY,
            Map.of("False", NodeTaints.NOT_READY, "Unknown", NodeTaints.UNREACHABLE),
            "MemoryPressure",
            Map.of("True", PREFIX + "memory-pressure"),
            "DiskPressure",
            Map.of("True", PREFIX + "disk-pressure"),
            "PIDPressure",
            Map.of("True", PREFIX + "pid-pressure"),
            "NetworkUnavailable",
            Map.of("True", PREFIX + "network-unavailable"));

    /** Deprecated label → the label that it follows. */
    private static final Map<String, String> LABELS = Map.of(
            "beta.kubernetes.io/os", "kubernetes.io/os",
            "beta.kubernetes.io/arch", "kubernetes.io/arch");

    void sync(ObjectName name) {
        Node node = nodes.get(name);
        if (node == null) {
            return;
        }
        Set<String> wanted = wanted(node);
        List<String> stale = new ArrayList<>();
        for (Taint taint : node.spec().taints()) {
            if (taint.effect().equals(Taint.NO_SCHEDULE) && isOurs(taint.key()) && !wanted.remove(taint.key())) {
                stale.add(taint.key());
            }
        }
        taints.swap(node, wanted, stale, Taint.NO_SCHEDULE);
        copyLabels(node);
    }

    private static boolean isOurs(String key) {
        return key.equals(UNSCHEDULABLE) || TAINTS.values().stream().anyMatch(byStatus -> byStatus.containsValue(key));
    }

    private static Set<String> wanted(Node node) {
        Set<String> keys = new LinkedHashSet<>();
        for (Condition condition : node.status().conditions()) {
            String key = TAINTS.getOrDefault(condition.type(), Map.of()).get(condition.status());
            if (key != null) {
                keys.add(key);
            }
        }
        if (node.spec().unschedulable()) {
            keys.add(UNSCHEDULABLE);
        }
        return keys;
    }

    private void copyLabels(Node node) {
        Map<String, String> labels = node.metadata().labels();
        JsonObject changed = JsonObject.EMPTY;
        for (Map.Entry<String, String> entry : LABELS.entrySet()) {
            String value = labels.get(entry.getValue());
            if (value != null && !value.equals(labels.get(entry.getKey()))) {
                changed = changed.with(entry.getKey(), value);
            }
        }
        if (!changed.isEmpty()) {
            String patch =
                    JsonObject.of("metadata", JsonObject.of("labels", changed)).toString();
            taints.client().patch(node.objectName(), Patch.strategicMerge(patch));
        }
    }
}
