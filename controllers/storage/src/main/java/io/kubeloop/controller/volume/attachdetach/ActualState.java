/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.controller.volumes.VolumeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that are, or may be, attached to nodes, and what the status of each node must report (upstream: {@code
 * cache.ActualStateOfWorld}). Confined to the worker.
 */
final class ActualState {

    private final Map<String, Attached> volumes = new TreeMap<>();

    /** Node → the volumes that its last status had in use. */
    private final Map<String, Set<String>> inUse = new HashMap<>();

    /** Node → the volumes that became known since that status, which it may use. */
    private final Map<String, Set<String>> unreported = new HashMap<>();

    private final Map<String, Report> reports = new TreeMap<>();

    /** A volume with its nodes. */
    private static final class Attached {
        private @Nullable VolumeSpec spec;
        private String devicePath = "";
        private final Map<String, Link> nodes = new TreeMap<>();
    }

    /** The relation of a volume and a node. */
    private static final class Link {
        private boolean isConfirmed;
        private @Nullable Instant unwantedSince;
    }

    /** The part of a node's status that this controller writes. */
    private static final class Report {
        private final Map<String, String> devicePaths = new TreeMap<>();
        private boolean isOutdated;
    }

    /**
     * A volume on a node.
     *
     * @param name the volume's unique name
     * @param spec null for a volume that is known from the status of the node only
     * @param isConfirmed false if the volume may or may not be attached
     */
    record OnNode(String name, @Nullable VolumeSpec spec, String node, boolean isConfirmed) {

        boolean allowsSeveralNodes() {
            return spec == null || spec.allowsSeveralNodes();
        }
    }

    /** Notes that a volume is attached, which its node's status must report. */
    void attached(String volume, @Nullable VolumeSpec spec, String node, String devicePath) {
        link(volume, spec, node, devicePath).isConfirmed = true;
        report(volume, node);
    }

    /** Notes that a volume may be attached. */
    void uncertain(String volume, @Nullable VolumeSpec spec, String node) {
        link(volume, spec, node, "").isConfirmed = false;
    }

    private Link link(String volume, @Nullable VolumeSpec spec, String node, String devicePath) {
        Attached attached = volumes.computeIfAbsent(volume, name -> new Attached());
        attached.spec = spec;
        attached.devicePath = devicePath;
        return attached.nodes.computeIfAbsent(node, name -> {
            unreported.computeIfAbsent(node, key -> new HashSet<>()).add(volume);
            return new Link();
        });
    }

    /** Notes that a volume is not attached. */
    void detached(String volume, String node) {
        Attached attached = volumes.get(volume);
        if (attached != null) {
            attached.nodes.remove(node);
            if (attached.nodes.isEmpty()) {
                volumes.remove(volume);
            }
            unreport(volume, node);
        }
    }

    private @Nullable Link link(String volume, String node) {
        Attached attached = volumes.get(volume);
        return attached == null ? null : attached.nodes.get(node);
    }

    /** Returns whether a volume is, or may be, attached. */
    boolean knows(String volume, String node) {
        return link(volume, node) != null;
    }

    /** Returns whether a volume is attached for certain. */
    boolean isAttached(String volume, String node) {
        Link link = link(volume, node);
        return link != null && link.isConfirmed;
    }

    /** Returns a copy of all volumes with their nodes, sorted by volume and node. */
    List<OnNode> all() {
        List<OnNode> all = new ArrayList<>();
        volumes.forEach((name, attached) -> attached.nodes.forEach(
                (node, link) -> all.add(new OnNode(name, attached.spec, node, link.isConfirmed))));
        return all;
    }

    /** Returns the nodes to which a volume is attached for certain. */
    List<String> nodesOf(String volume) {
        Attached attached = volumes.get(volume);
        return attached == null
                ? List.of()
                : attached.nodes.entrySet().stream()
                        .filter(entry -> entry.getValue().isConfirmed)
                        .map(Map.Entry::getKey)
                        .toList();
    }

    void setInUse(String node, Collection<String> names) {
        inUse.put(node, new HashSet<>(names));
        unreported.remove(node);
    }

    /** Notes that a node is gone. It uses what its last status had in use. */
    void removeNode(String node) {
        unreported.remove(node);
    }

    boolean isInUse(String volume, String node) {
        return inUse.getOrDefault(node, Set.of()).contains(volume)
                || unreported.getOrDefault(node, Set.of()).contains(volume);
    }

    /** Notes that a pod needs the volume. */
    void wanted(String volume, String node) {
        Link link = link(volume, node);
        if (link != null) {
            link.unwantedSince = null;
        }
    }

    /** Returns for how long no pod has needed an attached volume; zero at the first call. */
    Duration unwanted(String volume, String node, Instant now) {
        Link link = link(volume, node);
        if (link == null) {
            return Duration.ZERO;
        }
        if (link.unwantedSince == null) {
            link.unwantedSince = now;
        }
        return Duration.between(link.unwantedSince, now);
    }

    /** Has the status of a node report an attached volume. */
    void report(String volume, String node) {
        Attached attached = volumes.get(volume);
        if (attached == null || !attached.nodes.containsKey(node)) {
            return;
        }
        Report report = reports.get(node);
        if (report == null) {
            report = new Report();
            report.isOutdated = true;
            reports.put(node, report);
        }
        if (!attached.devicePath.equals(report.devicePaths.put(volume, attached.devicePath))) {
            report.isOutdated = true;
        }
    }

    /** Has the status of a node no longer report a volume. */
    void unreport(String volume, String node) {
        Report report = reports.get(node);
        if (report != null && report.devicePaths.remove(volume) != null) {
            report.isOutdated = true;
        }
    }

    /** Has the status of a node written again, if it ever reported a volume. */
    void rewrite(String node) {
        Report report = reports.get(node);
        if (report != null) {
            report.isOutdated = true;
        }
    }

    /** Returns the nodes whose status must be written. */
    List<String> outdated() {
        return reports.entrySet().stream()
                .filter(entry -> entry.getValue().isOutdated)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Returns the device paths of the volumes that the status of a node must report, by the volumes' names, and counts
     * them as written. Null if the status is written already.
     */
    @Nullable
    Map<String, String> takeReport(String node) {
        Report report = reports.get(node);
        if (report == null || !report.isOutdated) {
            return null;
        }
        report.isOutdated = false;
        return new TreeMap<>(report.devicePaths);
    }
}
