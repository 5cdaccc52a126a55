/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.core.Node;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The zones of the cluster: how many of their nodes have failed, and the rate at which failed nodes are tainted
 * (upstream: {@code handleDisruption}). Confined to the monitor's thread.
 */
final class Zones {

    private static final List<String> REGION =
            List.of("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
    private static final List<String> ZONE =
            List.of("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
    private static final String EXCLUDED = "node.kubernetes.io/exclude-disruption";

    private static final ControllerMetric SIZE =
            ControllerMetric.gauge("node_collector_zone_size", "Registered nodes per zone", "zone");
    private static final ControllerMetric HEALTH =
            ControllerMetric.gauge("node_collector_zone_health", "Healthy nodes per zone in percent", "zone");
    private static final ControllerMetric UNHEALTHY = ControllerMetric.gauge(
            "node_collector_unhealthy_nodes_in_zone", "Nodes per zone that are not ready", "zone");

    static final ControllerMetric EVICTIONS = ControllerMetric.counter(
            "node_collector_evictions_total", "Nodes that got a NoExecute taint since the start", "zone");

    /** How much of a zone has failed. */
    enum State {
        INITIAL,
        NORMAL,
        PARTIAL,
        FULL
    }

    /** What a pass has counted in a zone. */
    private static final class Count {
        private int ready;
        private int failed;
    }

    /** What a pass changes for the cluster as a whole. */
    enum Outcome {
        UNCHANGED,
        /** All zones have failed: the fault is the controller's own view, and no node keeps a taint for it. */
        ALL_FAILED,
        /** At least one zone works again. */
        RECOVERED
    }

    private final NodeLifecycleConfig config;
    private final Clock clock;
    private final ControllerMetrics metrics;
    private final Map<String, State> states = new TreeMap<>();
    private final Map<String, TaintQueue> queues = new HashMap<>();
    private Map<String, Count> counts = new TreeMap<>();

    Zones(NodeLifecycleConfig config, Clock clock, ControllerMetrics metrics) {
        this.config = config;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Returns the key of a node's zone; empty if the node names none. */
    static String key(Node node) {
        String region = label(node, REGION);
        String zone = label(node, ZONE);
        return region.isEmpty() && zone.isEmpty() ? "" : region + ":\0:" + zone;
    }

    /** The deprecated label, which comes first, wins. */
    private static String label(Node node, List<String> keys) {
        Map<String, String> labels = node.metadata().labels();
        return labels.getOrDefault(keys.get(0), labels.getOrDefault(keys.get(1), ""));
    }

    /** Returns the queue of a node's zone. */
    TaintQueue queue(Node node) {
        return queues.computeIfAbsent(key(node), key -> {
            metrics.record(EVICTIONS, 0, key);
            return new TaintQueue(clock, config.evictionRate());
        });
    }

    /** Removes a node, whose zone may have changed, from all queues. */
    void forget(String node) {
        queues.values().forEach(queue -> queue.remove(node));
    }

    Collection<TaintQueue> queues() {
        return queues.values();
    }

    void beginPass() {
        counts = new TreeMap<>();
    }

    /** Counts a node, unless its label excludes it. */
    void count(Node node, boolean isReady) {
        if (node.metadata().labels().containsKey(EXCLUDED)) {
            return;
        }
        Count count = counts.computeIfAbsent(key(node), key -> new Count());
        if (isReady) {
            count.ready++;
        } else {
            count.failed++;
        }
    }

    /** Compares the counts with the pass before, and sets the rates. */
    Outcome endPass() {
        Map<String, State> current = new TreeMap<>();
        counts.forEach((zone, count) -> current.put(zone, state(count)));
        counts.forEach(this::report);
        current.keySet().forEach(zone -> states.putIfAbsent(zone, State.INITIAL));
        states.keySet().stream().filter(zone -> !current.containsKey(zone)).forEach(this::reportEmpty);
        states.keySet().retainAll(current.keySet());
        boolean allFailed = areAllFull(current);
        boolean allHadFailed = areAllFull(states);
        if (allFailed) {
            if (!allHadFailed) {
                queues.values().forEach(queue -> queue.setRate(0));
                states.putAll(current);
            }
            return Outcome.ALL_FAILED;
        }
        for (String zone : new ArrayList<>(states.keySet())) {
            State now = current.getOrDefault(zone, State.INITIAL);
            if (allHadFailed || states.put(zone, now) != now) {
                states.put(zone, now);
                setRate(zone, now);
            }
        }
        return allHadFailed ? Outcome.RECOVERED : Outcome.UNCHANGED;
    }

    private static boolean areAllFull(Map<String, State> states) {
        return states.values().stream().allMatch(state -> state == State.FULL);
    }

    private State state(Count count) {
        if (count.ready == 0 && count.failed > 0) {
            return State.FULL;
        }
        double share = (double) count.failed / (count.ready + count.failed);
        return count.failed > 2 && share >= config.unhealthyZone() ? State.PARTIAL : State.NORMAL;
    }

    private void setRate(String zone, State state) {
        TaintQueue queue = queues.get(zone);
        Count count = counts.get(zone);
        if (queue == null || count == null) {
            return;
        }
        boolean isLarge = count.ready + count.failed > config.largeZone();
        queue.setRate(
                switch (state) {
                    case PARTIAL -> isLarge ? config.secondaryEvictionRate() : 0;
                    default -> config.evictionRate();
                });
    }

    /** A zone without nodes keeps its series, as upstream. */
    private void reportEmpty(String zone) {
        metrics.record(SIZE, 0, zone);
        metrics.record(UNHEALTHY, 0, zone);
        metrics.record(HEALTH, 100, zone);
    }

    private void report(String zone, Count count) {
        int size = count.ready + count.failed;
        metrics.record(SIZE, size, zone);
        metrics.record(UNHEALTHY, count.failed, zone);
        metrics.record(HEALTH, 100.0 * count.ready / size, zone);
    }
}
