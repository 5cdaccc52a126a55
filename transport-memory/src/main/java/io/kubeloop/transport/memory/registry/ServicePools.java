package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses and ports that services hold. Thread-safe.
 *
 * @param addresses the addresses
 * @param nodePorts the ports on the nodes
 */
record ServicePools(ClusterIpAllocator addresses, NodePortAllocator nodePorts) {

    ServicePools() {
        this(new ClusterIpAllocator(), new NodePortAllocator());
    }

    /** Gives back what a service holds and its successor, whose spec may be empty, does not. */
    void release(JsonObject spec, JsonObject kept) {
        List<String> freeAddresses = new ArrayList<>(heldAddresses(spec));
        freeAddresses.removeAll(heldAddresses(kept));
        freeAddresses.forEach(addresses::release);
        List<Long> freePorts = new ArrayList<>(heldPorts(spec));
        freePorts.removeAll(heldPorts(kept));
        freePorts.forEach(nodePorts::release);
    }

    private static List<String> heldAddresses(JsonObject spec) {
        return ServiceSpecs.hasAddress(spec) ? ServiceSpecs.addresses(spec) : List.of();
    }

    private static List<Long> heldPorts(JsonObject spec) {
        List<Long> held = new ArrayList<>(ServiceSpecs.isOnNodes(spec) ? ServiceSpecs.nodePorts(spec) : List.of());
        if (ServiceSpecs.isHealthChecked(spec)) {
            held.add(ServiceSpecs.number(spec, "healthCheckNodePort"));
        }
        return held;
    }
}
