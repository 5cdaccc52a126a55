/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.controller.endpointslice.ZoneShares.Allocation;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The number of endpoints that each zone gives to other zones (upstream: {@code getGivingAndReceivingZones}). For one
 * thread.
 */
final class ZoneTransfers {

    /** The surplus or deficit of a zone below which it does not take part. */
    private static final double LEAST = 0.5;

    private final Map<String, Integer> giving = new TreeMap<>();
    private final Map<String, Integer> receiving = new TreeMap<>();

    private ZoneTransfers() {}

    /**
     * Matches zones with more hints than they should have with zones that have fewer, the greatest difference first.
     *
     * @param given the hints of each zone
     */
    static ZoneTransfers between(Map<String, Allocation> allocations, Map<String, Integer> given) {
        Map<String, Double> surplus = new TreeMap<>();
        Map<String, Double> deficit = new TreeMap<>();
        allocations.forEach((zone, allocation) -> {
            double difference = given.getOrDefault(zone, 0) - allocation.desired();
            if (difference > 0) {
                surplus.put(zone, difference);
            } else if (difference < 0) {
                deficit.put(zone, -difference);
            }
        });
        ZoneTransfers result = new ZoneTransfers();
        while (true) {
            String giver = greatest(surplus);
            String receiver = greatest(deficit);
            if (giver == null
                    || receiver == null
                    || Math.max(surplus.getOrDefault(giver, 0.0), deficit.getOrDefault(receiver, 0.0)) < 1) {
                return result;
            }
            surplus.merge(giver, -1.0, Double::sum);
            deficit.merge(receiver, -1.0, Double::sum);
            result.giving.merge(giver, 1, Integer::sum);
            result.receiving.merge(receiver, 1, Integer::sum);
        }
    }

    private static @Nullable String greatest(Map<String, Double> zones) {
        String best = null;
        double most = 0;
        for (Map.Entry<String, Double> zone : zones.entrySet()) {
            if (zone.getValue() >= LEAST && zone.getValue() > most) {
                best = zone.getKey();
                most = zone.getValue();
            }
        }
        return best;
    }

    /** Returns the zone that the next endpoint of this zone is for; null if it stays. */
    @Nullable
    String next(String from) {
        if (!giving.containsKey(from) || receiving.isEmpty()) {
            return null;
        }
        String to = receiving.keySet().iterator().next();
        giving.computeIfPresent(from, (zone, left) -> left == 1 ? null : left - 1);
        receiving.computeIfPresent(to, (zone, left) -> left == 1 ? null : left - 1);
        return to;
    }
}
