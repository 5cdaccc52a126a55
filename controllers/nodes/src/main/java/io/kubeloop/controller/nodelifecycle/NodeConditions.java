/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.Condition;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeStatus;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the conditions of nodes. Static functions only. */
final class NodeConditions {

    static final String READY = "Ready";
    static final String HEARTBEAT = "lastHeartbeatTime";

    /** The conditions that become Unknown when a node falls silent. */
    static final List<String> REPORTED = List.of(READY, "MemoryPressure", "DiskPressure", "PIDPressure");

    private NodeConditions() {}

    static @Nullable Condition of(NodeStatus status, String type) {
        for (Condition condition : status.conditions()) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }

    /** Returns the status of the condition Ready; {@code Unknown} for a node that has none. */
    static String ready(Node node) {
        Condition ready = of(node.status(), READY);
        return ready == null ? "Unknown" : ready.status();
    }

    static String heartbeat(Condition condition) {
        return JsonObject.of(condition.unknownFields()).string(HEARTBEAT);
    }
}
