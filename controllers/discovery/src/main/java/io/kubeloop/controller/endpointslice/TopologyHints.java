/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointHints;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.controller.endpointslice.ZoneShares.Allocation;
import io.kubeloop.controller.events.EventType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The hints of services with the annotation {@code service.kubernetes.io/topology-mode: Auto}: endpoints are spread
 * over zones in proportion to the CPU of their nodes (upstream: {@code k8s.io/endpointslice/topologycache}).
 *
 * <p>Thread-safe.
 */
final class TopologyHints {

    /*
     * Invariant:
     *   H1  hinted holds the zones of all hints that this process gave a service, by address type.
     *
     * Nothing is called while the lock is held.
     */

    private static final String ENABLED = "TopologyAwareHintsEnabled";
    private static final String DISABLED = "TopologyAwareHintsDisabled";

    /** An event about the service. */
    record Notice(String type, String reason, String message) {}

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private ZoneShares shares = ZoneShares.UNKNOWN;

    @GuardedBy("lock")
    private final Map<ObjectName, Map<String, Map<String, Integer>>> hinted = new HashMap<>();

    @GuardedBy("lock")
    private final Set<ObjectName> populated = new HashSet<>();

    static boolean isRequested(Service service) {
        Map<String, String> annotations = service.metadata().annotations();
        String value = annotations.get("service.kubernetes.io/topology-aware-hints");
        if (value == null) {
            value = annotations.get("service.kubernetes.io/topology-mode");
        }
        return "Auto".equals(value) || "auto".equals(value);
    }

    /** Computes the shares of the zones again; returns the services in which a zone has too few hints now. O(nodes). */
    Set<ObjectName> setNodes(List<Node> nodes) {
        ZoneShares now = ZoneShares.of(nodes);
        Set<ObjectName> overloaded = new HashSet<>();
        lock.lock();
        try {
            shares = now;
            hinted.forEach((service, byType) -> {
                if (byType.values().stream().anyMatch(now::areOverloaded)) {
                    overloaded.add(service);
                }
            });
        } finally {
            lock.unlock();
        }
        return overloaded;
    }

    /** Drops the hints of a service; returns a notice if it had some before. */
    @Nullable
    Notice forget(ObjectName service, String addressType) {
        boolean had;
        lock.lock();
        try {
            had = populated.contains(service);
            drop(service, addressType);
        } finally {
            lock.unlock();
        }
        return had ? disabled("Topology Aware Hints has been disabled", addressType) : null;
    }

    private void drop(ObjectName service, String addressType) {
        lock.lock();
        try {
            Map<String, Map<String, Integer>> byType = hinted.get(service);
            if (byType != null) {
                byType.remove(addressType);
                if (byType.isEmpty()) {
                    hinted.remove(service);
                }
            }
            populated.remove(service);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets or removes the hints in the plan; returns a notice if that changes the service, or if hints are impossible.
     */
    @Nullable
    Notice assign(ObjectName service, String addressType, List<EndpointSlice> existing, SlicePlan plan) {
        ZoneShares current;
        lock.lock();
        try {
            current = shares;
        } finally {
            lock.unlock();
        }
        int ready = ready(plan.creates()) + ready(plan.updates()) + ready(plan.unchanged(existing));
        Map<String, Allocation> allocations = current.allocate(ready);
        String obstacle = obstacle(current, ready, allocations);
        Map<String, Integer> given = new TreeMap<>();
        if (obstacle == null) {
            keepGoodHints(existing, plan, allocations, given);
            obstacle = hintOwnZones(plan, given);
        }
        if (obstacle == null) {
            redistribute(plan, ZoneTransfers.between(allocations, given), given);
            obstacle = given.isEmpty() ? "No hints allocated for zones" : null;
        }
        if (obstacle != null) {
            drop(service, addressType);
            TrafficDistribution.remove(existing, plan);
            return disabled(obstacle, addressType);
        }
        lock.lock();
        try {
            hinted.computeIfAbsent(service, name -> new HashMap<>()).put(addressType, given);
            return populated.add(service)
                    ? new Notice(
                            EventType.NORMAL,
                            ENABLED,
                            "Topology Aware Hints has been enabled, addressType: " + addressType)
                    : null;
        } finally {
            lock.unlock();
        }
    }

    private static Notice disabled(String message, String addressType) {
        return new Notice(EventType.WARNING, DISABLED, message + ", addressType: " + addressType);
    }

    private static int ready(List<EndpointSlice> slices) {
        return (int) slices.stream()
                .flatMap(slice -> slice.endpoints().stream())
                .filter(TrafficDistribution::isReady)
                .count();
    }

    private static @Nullable String obstacle(ZoneShares shares, int ready, Map<String, Allocation> allocations) {
        int zones = shares.byZone().size();
        String numbers = " (" + ready + " endpoints, " + zones + " zones)";
        if (zones == 0) {
            return "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
        }
        if (zones > ready) {
            return "Insufficient number of endpoints" + numbers;
        }
        return allocations.isEmpty()
                ? "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold"
                        + numbers
                : null;
    }

    /** Counts the hints of unchanged slices; slices whose hints do not fit are added to the plan. */
    private static void keepGoodHints(
            List<EndpointSlice> existing,
            SlicePlan plan,
            Map<String, Allocation> allocations,
            Map<String, Integer> given) {
        for (EndpointSlice slice : plan.unchanged(existing)) {
            Map<String, Integer> own = hintsByZone(slice);
            if (own == null) {
                plan.updates().add(slice);
                continue;
            }
            boolean fits = own.entrySet().stream().allMatch(zone -> {
                Allocation allocation = allocations.get(zone.getKey());
                return allocation != null
                        && zone.getValue() + given.getOrDefault(zone.getKey(), 0) <= allocation.maximum();
            });
            if (fits) {
                own.forEach((zone, number) -> given.merge(zone, number, Integer::sum));
            } else {
                plan.updates().add(slice);
            }
        }
    }

    /** Returns null if a ready endpoint has no hint. */
    private static @Nullable Map<String, Integer> hintsByZone(EndpointSlice slice) {
        Map<String, Integer> result = new TreeMap<>();
        for (Endpoint endpoint : slice.endpoints()) {
            if (TrafficDistribution.isReady(endpoint)) {
                EndpointHints hints = endpoint.hints();
                if (hints == null || hints.forZones().isEmpty()) {
                    return null;
                }
                hints.forZones().forEach(zone -> result.merge(zone.name(), 1, Integer::sum));
            }
        }
        return result;
    }

    /**
     * Sets the hint of each ready endpoint of the plan to its own zone. Returns the obstacle if an endpoint has no
     * zone.
     */
    private static @Nullable String hintOwnZones(SlicePlan plan, Map<String, Integer> given) {
        boolean[] lacksZone = {false};
        plan.mapEndpoints(endpoint -> {
            String zone = endpoint.zone() == null ? "" : endpoint.zone();
            if (!TrafficDistribution.isReady(endpoint)) {
                return endpoint;
            }
            if (zone.isEmpty()) {
                lacksZone[0] = true;
                return endpoint;
            }
            given.merge(zone, 1, Integer::sum);
            return TrafficDistribution.withHints(endpoint, forZone(zone));
        });
        return lacksZone[0] ? "One or more endpoints do not have a zone specified" : null;
    }

    private static void redistribute(SlicePlan plan, ZoneTransfers transfers, Map<String, Integer> given) {
        plan.mapEndpoints(endpoint -> {
            String from = endpoint.zone();
            String to = from != null && TrafficDistribution.isReady(endpoint) ? transfers.next(from) : null;
            if (from == null || to == null) {
                return endpoint;
            }
            given.merge(to, 1, Integer::sum);
            given.merge(from, -1, Integer::sum);
            return TrafficDistribution.withHints(endpoint, forZone(to));
        });
    }

    private static EndpointHints forZone(String zone) {
        return new EndpointHints(List.of(EndpointHints.Topology.named(zone)), List.of(), UnknownFields.NONE);
    }
}
