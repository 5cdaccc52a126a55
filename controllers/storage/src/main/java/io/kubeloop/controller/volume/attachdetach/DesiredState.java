/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.volumes.VolumeSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that pods need, by node (upstream: {@code cache.DesiredStateOfWorld}). Confined to the worker.
 */
final class DesiredState {

    /** The managed nodes, and the volumes of each by their unique names. */
    private final Map<String, Map<String, Wanted>> nodes = new TreeMap<>();

    /** A volume that pods of a node need. */
    static final class Wanted {

        private final VolumeSpec volume;
        private final String node;
        private final Map<String, Pod> pods = new LinkedHashMap<>();
        private boolean isReported;

        private Wanted(VolumeSpec volume, String node) {
            this.volume = volume;
            this.node = node;
        }

        VolumeSpec volume() {
            return volume;
        }

        String node() {
            return node;
        }

        /** Returns the pods in the order in which they came. */
        List<Pod> pods() {
            return List.copyOf(pods.values());
        }

        /** Returns whether this is the first call. */
        boolean report() {
            boolean isFirst = !isReported;
            isReported = true;
            return isFirst;
        }
    }

    void addNode(String node) {
        nodes.putIfAbsent(node, new TreeMap<>());
    }

    /** Removes a node, unless pods on it still need volumes. */
    void removeNode(String node) {
        if (nodes.getOrDefault(node, Map.of()).isEmpty()) {
            nodes.remove(node);
        }
    }

    boolean isManaged(String node) {
        return nodes.containsKey(node);
    }

    /** Adds a pod's volume, if the pod's node is managed. */
    void add(Pod pod, VolumeSpec volume) {
        String node = pod.spec().nodeName();
        Map<String, Wanted> volumes = nodes.get(node);
        if (volumes != null) {
            volumes.computeIfAbsent(volume.uniqueName(), name -> new Wanted(volume, node))
                    .pods
                    .putIfAbsent(pod.metadata().uid(), pod);
        }
    }

    void remove(String podUid, String volume, String node) {
        Wanted wanted = wanted(volume, node);
        if (wanted != null) {
            wanted.pods.remove(podUid);
            if (wanted.pods.isEmpty()) {
                nodes.getOrDefault(node, Map.of()).remove(volume);
            }
        }
    }

    private @Nullable Wanted wanted(String volume, String node) {
        return nodes.getOrDefault(node, Map.of()).get(volume);
    }

    boolean wants(String volume, String node) {
        return wanted(volume, node) != null;
    }

    /** Returns a copy of all volumes of all nodes, sorted by node and volume. */
    List<Wanted> all() {
        List<Wanted> all = new ArrayList<>();
        nodes.values().forEach(volumes -> all.addAll(volumes.values()));
        return all;
    }

    /** Returns the pod of this UID; null if it needs no volume. O(volumes). */
    @Nullable
    Pod pod(String uid) {
        return nodes.values().stream()
                .flatMap(volumes -> volumes.values().stream())
                .flatMap(wanted -> Stream.ofNullable(wanted.pods.get(uid)))
                .findFirst()
                .orElse(null);
    }

    /** Returns the pods that need a volume on one of these nodes. */
    List<Pod> pods(String volume, Collection<String> onNodes) {
        return onNodes.stream()
                .flatMap(node -> Stream.ofNullable(wanted(volume, node)))
                .flatMap(wanted -> wanted.pods.values().stream())
                .toList();
    }
}
