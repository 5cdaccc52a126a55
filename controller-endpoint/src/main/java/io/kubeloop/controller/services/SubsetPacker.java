/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.services;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Packs pairs of address and port into as few subsets as possible (upstream: {@code endpoints.RepackSubsets}).
 *
 * <p>In a subset, every address offers every port. So ports are grouped by the set of addresses that offer them. An
 * address is identified by its IP and its target's UID. If it is added as ready and as not ready for the same port,
 * it is not ready.
 *
 * <p>Not thread-safe. Packing is O(n log n) in the number of pairs.
 */
public final class SubsetPacker {

    /** The port of addresses without a port. */
    private static final EndpointPort NO_PORT = new EndpointPort("", -1, "", null, UnknownFields.NONE);

    private static final SubsetNormalizer KNOWN = new SubsetNormalizer(true);

    private record AddressKey(String ip, String uid) {

        static AddressKey of(EndpointAddress address) {
            ObjectReference target = address.targetRef();
            return new AddressKey(address.ip(), target == null ? "" : target.uid());
        }
    }

    /** The addresses as first added. */
    private final Map<AddressKey, EndpointAddress> addresses = new HashMap<>();

    /** By port, the addresses that offer it and whether they are ready. */
    private final Map<EndpointPort, Map<AddressKey, Boolean>> readinessByPort = new LinkedHashMap<>();

    /** Creates a packer without pairs. */
    public SubsetPacker() {}

    /**
     * Adds a pair.
     *
     * @param port the port; null if the address has none
     */
    public void add(EndpointAddress address, @Nullable EndpointPort port, boolean ready) {
        AddressKey key = AddressKey.of(address);
        addresses.putIfAbsent(key, address);
        readinessByPort
                .computeIfAbsent(port == null ? NO_PORT : port, p -> new HashMap<>())
                .merge(key, ready, Boolean::logicalAnd);
    }

    /** Adds every pair of a subset; unknown fields are ignored. */
    public void add(EndpointSubset given) {
        EndpointSubset subset = KNOWN.of(given);
        subset.addresses().forEach(address -> add(address, subset.ports(), true));
        subset.notReadyAddresses().forEach(address -> add(address, subset.ports(), false));
    }

    private void add(EndpointAddress address, List<EndpointPort> ports, boolean ready) {
        if (ports.isEmpty()) {
            add(address, (EndpointPort) null, ready);
        }
        ports.forEach(port -> add(address, port, ready));
    }

    /** Returns the subsets in canonical order. */
    public List<EndpointSubset> pack() {
        Map<Map<AddressKey, Boolean>, List<EndpointPort>> portsByReadiness = new LinkedHashMap<>();
        readinessByPort.forEach((port, readiness) -> {
            List<EndpointPort> ports = portsByReadiness.computeIfAbsent(readiness, r -> new ArrayList<>());
            // A port below 1 is no port: the addresses are listed without it.
            if (port.port() > 0) {
                ports.add(port);
            }
        });
        List<EndpointSubset> subsets = new ArrayList<>();
        portsByReadiness.forEach((readiness, ports) -> subsets.add(subset(readiness, ports)));
        return SubsetOrder.sort(subsets);
    }

    private EndpointSubset subset(Map<AddressKey, Boolean> readiness, List<EndpointPort> ports) {
        List<EndpointAddress> ready = new ArrayList<>();
        List<EndpointAddress> notReady = new ArrayList<>();
        readiness.forEach((key, isReady) -> {
            EndpointAddress address = addresses.get(key);
            if (address != null) {
                (isReady ? ready : notReady).add(address);
            }
        });
        return new EndpointSubset(ready, notReady, ports, UnknownFields.NONE);
    }
}
