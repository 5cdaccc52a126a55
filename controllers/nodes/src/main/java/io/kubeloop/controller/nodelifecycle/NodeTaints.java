/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeSpec.Taint;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Writes the taints of nodes (upstream: {@code controller.AddOrUpdateTaintOnNode} and {@code RemoveTaintOffNode}). The
 * list of taints is replaced as a whole, so each patch names the version that it is based on, and is repeated after a
 * conflict.
 *
 * <p>Thread-safe; the methods block for one or two requests.
 *
 * @param client reads and patches nodes
 * @param clock the time at which a taint was added
 */
record NodeTaints(ResourceClient<Node> client, Clock clock) {

    private static final int TRIES = 5;

    static final String NOT_READY = "node.kubernetes.io/not-ready";
    static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    static boolean has(Node node, String key, String effect) {
        return node.spec().taints().stream().anyMatch(taint -> is(taint, key, effect));
    }

    private static boolean is(Taint taint, String key, String effect) {
        return taint.key().equals(key) && taint.effect().equals(effect);
    }

    /**
     * Adds taints, then removes others: two patches, so the node is never without both.
     *
     * @param effect the effect of all of them
     */
    void swap(Node node, Collection<String> added, Collection<String> removed, String effect) {
        Node current = node;
        if (!added.isEmpty()) {
            current = write(current, taints -> {
                taints.removeIf(taint -> taint.effect().equals(effect) && added.contains(taint.key()));
                added.forEach(key -> taints.add(taint(key, effect)));
            });
        }
        if (removed.stream().anyMatch(key -> has(node, key, effect))) {
            write(
                    current,
                    taints -> taints.removeIf(taint -> taint.effect().equals(effect) && removed.contains(taint.key())));
        }
    }

    private Taint taint(String key, String effect) {
        JsonObject added = JsonObject.EMPTY.with("timeAdded", new Time(clock.instant()).toString());
        return new Taint(key, "", effect, added.toUnknownFields());
    }

    /** A change of a node's taints. */
    private interface Change {

        void apply(List<Taint> taints);
    }

    private Node write(Node node, Change change) {
        ObjectName name = node.objectName();
        Node base = node;
        for (int attempt = 1; ; attempt++) {
            List<Taint> taints = new ArrayList<>(base.spec().taints());
            change.apply(taints);
            if (taints.equals(base.spec().taints())) {
                return base;
            }
            try {
                return client.patch(name, Patch.strategicMerge(patch(base, taints)));
            } catch (ApiException e) {
                if (!e.isConflict() || attempt == TRIES) {
                    throw e;
                }
                base = client.get(name);
            }
        }
    }

    private static String patch(Node base, List<Taint> taints) {
        JsonArray list = JsonArray.of(taints.stream().map(NodeTaints::json).toList());
        return JsonObject.of(
                        "metadata",
                        JsonObject.EMPTY.with("resourceVersion", base.metadata().resourceVersion()))
                .with("spec", JsonObject.of("taints", list))
                .toString();
    }

    private static JsonObject json(Taint taint) {
        JsonObject written = JsonObject.EMPTY.with("effect", taint.effect()).with("key", taint.key());
        return JsonObject.of(taint.unknownFields()).members().entrySet().stream()
                .reduce(
                        taint.value().isEmpty() ? written : written.with("value", taint.value()),
                        (object, member) -> object.with(member.getKey(), member.getValue()),
                        (first, second) -> second);
    }
}
