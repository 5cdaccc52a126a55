/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The nodes to which pods are bound in turn, or by a scheduler. Thread-safe. */
final class SimulatedNodes {

    private final int count;
    private final String prefix;
    private final AtomicInteger turn = new AtomicInteger();

    /** Makes so many nodes; without a prefix they are all nodes of the cluster. */
    SimulatedNodes(int count, String prefix) {
        this.count = count;
        this.prefix = prefix;
    }

    /** Returns whether a pod belongs to another node, or, with an empty name, to a scheduler. */
    boolean leave(String node) {
        return !prefix.isEmpty() && index(node) < 0;
    }

    /** Returns the name of the next node. */
    String next() {
        return name(Math.floorMod(turn.getAndIncrement(), count));
    }

    private String name(int index) {
        return (prefix.isEmpty() ? "node-" : prefix) + (index + 1);
    }

    private int index(String node) {
        return IntStream.range(0, count)
                .filter(i -> name(i).equals(node))
                .findFirst()
                .orElse(-1);
    }

    /** Returns the address of a node; nodes that are not simulated have one too. */
    String ipOf(String node) {
        int known = index(node);
        int index = known >= 0 ? known : count + Math.floorMod(node.hashCode(), 200 - count);
        return "172.18." + index / 250 + "." + (index % 250 + 2);
    }

    /** Returns the node objects to register at the server. */
    List<JsonObject> objects(String now) {
        List<JsonObject> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(object(name(i), now));
        }
        return nodes;
    }

    private JsonObject object(String name, String now) {
        JsonObject labels = JsonObject.EMPTY
                .with("kubernetes.io/hostname", name)
                .with("kubernetes.io/os", "linux")
                .with("kubernetes.io/arch", "amd64");
        JsonObject resources =
                JsonObject.EMPTY.with("cpu", "64").with("memory", "256Gi").with("pods", "10000");
        JsonArray addresses = JsonArray.of(
                JsonObject.EMPTY.with("type", "InternalIP").with("address", ipOf(name)),
                JsonObject.EMPTY.with("type", "Hostname").with("address", name));
        JsonObject status = JsonObject.builder()
                .put("capacity", resources)
                .put("allocatable", resources)
                .put("conditions", JsonArray.of(conditions(now)))
                .put("addresses", addresses)
                .put("nodeInfo", info(name))
                .build();
        return JsonObject.builder()
                .put("apiVersion", "v1")
                .put("kind", "Node")
                .put("metadata", JsonObject.EMPTY.with("name", name).with("labels", labels))
                .put("spec", JsonObject.EMPTY)
                .put("status", status)
                .build();
    }

    private static List<JsonValue> conditions(String now) {
        return List.of(
                condition("MemoryPressure", "False", "KubeletHasSufficientMemory", now),
                condition("DiskPressure", "False", "KubeletHasNoDiskPressure", now),
                condition("PIDPressure", "False", "KubeletHasSufficientPID", now),
                condition("Ready", "True", "KubeletReady", now));
    }

    private static JsonObject condition(String type, String status, String reason, String now) {
        return JsonObject.EMPTY
                .with("type", type)
                .with("status", status)
                .with("reason", reason)
                .with("message", "simulated")
                .with("lastHeartbeatTime", now)
                .with("lastTransitionTime", now);
    }

    private static JsonObject info(String name) {
        JsonObject.Builder info = JsonObject.builder()
                .put("machineID", name)
                .put("systemUUID", name)
                .put("bootID", name)
                .put("operatingSystem", "linux")
                .put("architecture", "amd64");
        for (String member :
                List.of("kernelVersion", "osImage", "containerRuntimeVersion", "kubeletVersion", "kubeProxyVersion")) {
            info.put(member, "simulated");
        }
        return info.build();
    }

    @Override
    public String toString() {
        return count == 1 ? "1 node" : count + " nodes";
    }
}
