/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.core.Node;
import io.kubeloop.api.value.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The share of each zone in the CPU of all nodes (upstream: {@code TopologyCache.SetNodes}).
 *
 * @param byZone the shares, which add up to 1; empty if they are unknown
 */
record ZoneShares(Map<String, Double> byZone) {

    static final ZoneShares UNKNOWN = new ZoneShares(Map.of());

    /** A zone may receive this fraction more traffic than its share. */
    private static final double OVERLOAD = 0.2;

    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final List<String> EXCLUDED =
            List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

    /**
     * The endpoints that a zone needs.
     *
     * @param minimum the fewest with which the zone is not overloaded
     * @param maximum the most that leave every other zone its minimum
     * @param desired the share of all endpoints, not rounded
     */
    record Allocation(int minimum, int maximum, double desired) {}

    /** Adds up the CPU of the ready nodes. Unknown if a node lacks a zone or CPU, or all are in one zone. */
    static ZoneShares of(List<Node> nodes) {
        Map<String, BigDecimal> cpu = new TreeMap<>();
        BigDecimal total = BigDecimal.ZERO;
        for (Node node : nodes) {
            Map<String, String> labels = node.metadata().labels();
            if (EXCLUDED.stream().anyMatch(labels::containsKey) || !isReady(node)) {
                continue;
            }
            String zone = zoneOf(node);
            BigDecimal amount = Quantity.parse(node.status().allocatable().getOrDefault("cpu", "0"))
                    .amount();
            if (zone.isEmpty() || amount.signum() == 0) {
                return UNKNOWN;
            }
            cpu.merge(zone, amount, BigDecimal::add);
            total = total.add(amount);
        }
        if (cpu.size() < 2) {
            return UNKNOWN;
        }
        Map<String, Double> shares = new TreeMap<>();
        for (Map.Entry<String, BigDecimal> entry : cpu.entrySet()) {
            shares.put(
                    entry.getKey(),
                    entry.getValue().divide(total, MathContext.DECIMAL64).doubleValue());
        }
        return new ZoneShares(shares);
    }

    static boolean isReady(Node node) {
        return node.status().conditions().stream()
                .anyMatch(condition ->
                        condition.type().equals("Ready") && condition.status().equals("True"));
    }

    static String zoneOf(Node node) {
        return node.metadata().labels().getOrDefault(ZONE, "");
    }

    /**
     * Returns the allocation of each zone; empty if the number of endpoints is so small that one of them would be
     * overloaded.
     */
    Map<String, Allocation> allocate(int endpoints) {
        Map<String, Allocation> result = new TreeMap<>();
        int spare = endpoints
                - byZone.values().stream()
                        .mapToInt(share -> minimum(share, endpoints))
                        .sum();
        if (spare >= 0) {
            byZone.forEach((zone, share) -> {
                int minimum = minimum(share, endpoints);
                result.put(zone, new Allocation(minimum, minimum + spare, Math.max(share * endpoints, minimum)));
            });
        }
        return result;
    }

    private static int minimum(double share, int endpoints) {
        return (int) Math.ceil(share * endpoints * (1 / (1 + OVERLOAD)));
    }

    /** Returns whether a zone has fewer hints than its minimum. */
    boolean areOverloaded(Map<String, Integer> hints) {
        if (hints.isEmpty()) {
            return false;
        }
        int total = hints.values().stream().mapToInt(Integer::intValue).sum();
        return byZone.isEmpty()
                || byZone.entrySet().stream()
                        .anyMatch(zone -> hints.getOrDefault(zone.getKey(), 0) < minimum(zone.getValue(), total));
    }
}
