package io.kubeloop.transport.memory.service;

import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The addresses and ports that services hold. Thread-safe.
 *
 * @param addresses the addresses of each family that is served, that of the first range first
 * @param nodePorts the ports on the nodes
 */
record ServicePools(Map<String, ClusterIpAllocator> addresses, NodePortAllocator nodePorts) {

    static ServicePools of(ServiceNetwork network) {
        Map<String, ClusterIpAllocator> addresses = new LinkedHashMap<>();
        network.ranges().forEach(range -> addresses.put(range.family(), new ClusterIpAllocator(range)));
        return new ServicePools(addresses, new NodePortAllocator());
    }

    /** Returns the families that are served, the one that services have unless they say otherwise first. */
    List<String> families() {
        return List.copyOf(addresses.keySet());
    }

    void releaseAddress(String address) {
        @Nullable ClusterIpAllocator pool = addresses.get(ServiceRange.family(address));
        if (pool != null) {
            pool.release(address);
        }
    }

    /** Gives back what a service holds and its successor, whose spec may be empty, does not. */
    void release(JsonObject spec, JsonObject kept) {
        List<String> freeAddresses = new ArrayList<>(heldAddresses(spec));
        freeAddresses.removeAll(heldAddresses(kept));
        freeAddresses.forEach(this::releaseAddress);
        List<Long> freePorts = new ArrayList<>(heldPorts(spec));
        freePorts.removeAll(heldPorts(kept));
        freePorts.forEach(nodePorts::release);
    }

    private static List<String> heldAddresses(JsonObject spec) {
        return ServiceSpecs.hasAddress(spec) && !ServiceSpecs.isHeadless(spec)
                ? ServiceSpecs.addresses(spec)
                : List.of();
    }

    private static List<Long> heldPorts(JsonObject spec) {
        List<Long> held = new ArrayList<>(ServiceSpecs.isOnNodes(spec) ? ServiceSpecs.nodePorts(spec) : List.of());
        if (ServiceSpecs.isHealthChecked(spec)) {
            held.add(ServiceSpecs.number(spec, "healthCheckNodePort"));
        }
        return held;
    }
}
