/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.cache.Lister;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the parts of nodes that attachments depend on, and writes {@code status.volumesAttached}, by which a kubelet
 * learns which volumes it can mount. {@link #write} and {@link #isInUseNow} block for one request.
 *
 * @param cached the cached nodes
 * @param client reads and patches nodes
 */
record NodeStatuses(Lister<Node> cached, ResourceClient<Node> client) {

    private static final Logger LOG = LoggerFactory.getLogger(NodeStatuses.class);
    private static final String MANAGED = "volumes.kubernetes.io/controller-managed-attach-detach";
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    static boolean isManaged(Node node) {
        return node.metadata().annotations().containsKey(MANAGED);
    }

    /** Returns the names of the volumes that the kubelet uses. */
    static List<String> inUse(Node node) {
        return JsonObject.of(node.status().unknownFields())
                .array("volumesInUse")
                .strings()
                .toList();
    }

    /** Returns the device paths of the volumes that the status reports as attached, by the volumes' names. */
    static Map<String, String> attached(Node node) {
        return JsonObject.of(node.status().unknownFields())
                .array("volumesAttached")
                .objects()
                .collect(Collectors.toMap(
                        volume -> volume.string("name"),
                        volume -> volume.string("devicePath"),
                        (first, second) -> first));
    }

    @Nullable
    Node node(String name) {
        return cached.get(new ObjectName("", name));
    }

    boolean isReady(String name) {
        Node node = node(name);
        return node != null
                && node.status().conditions().stream()
                        .filter(condition -> condition.type().equals("Ready"))
                        .anyMatch(Condition::isTrue);
    }

    boolean isOutOfService(String name) {
        Node node = node(name);
        return node != null
                && node.spec().taints().stream().anyMatch(taint -> taint.key().equals(OUT_OF_SERVICE));
    }

    /** Returns whether the server's status of a node has the volume in use. False for a node that is gone. */
    boolean isInUseNow(String volume, String name) {
        try {
            return inUse(client.get(new ObjectName("", name))).contains(volume);
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Writes the volumes that a node has attached, if they changed. Does nothing for a node that is gone.
     *
     * @return false if the write failed and must be repeated
     */
    boolean write(String node, ActualState actual) {
        Map<String, String> volumes = actual.takeReport(node);
        if (volumes == null || node(node) == null) {
            return true;
        }
        JsonValue list = volumes.isEmpty()
                ? JsonNull.NULL
                : JsonArray.of(volumes.entrySet().stream()
                        .map(entry ->
                                JsonObject.EMPTY.with("name", entry.getKey()).with("devicePath", entry.getValue()))
                        .toList());
        try {
            client.patch(
                    new ObjectName("", node),
                    Patch.strategicMerge(JsonObject.of("status", JsonObject.of("volumesAttached", list))
                            .toString()),
                    "status");
            return true;
        } catch (RuntimeException e) {
            if (e instanceof ApiException refused && refused.isNotFound()) {
                return true;
            }
            LOG.warn("Cannot write the attached volumes of node {}; tries again: {}", node, e.toString());
            actual.rewrite(node);
            return false;
        }
    }
}
