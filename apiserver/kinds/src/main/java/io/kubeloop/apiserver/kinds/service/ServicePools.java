/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The allocators of cluster IPs and node ports. Thread-safe.
 *
 * @param addresses the allocator of each served family, in the order of the ranges
 * @param nodePorts the allocator of node ports
 */
record ServicePools(Map<String, ClusterIpAllocator> addresses, NodePortAllocator nodePorts) {

    static ServicePools of(ServiceNetwork network) {
        Map<String, ClusterIpAllocator> addresses = new LinkedHashMap<>();
        network.ranges().forEach(range -> addresses.put(range.family(), new ClusterIpAllocator(range)));
        return new ServicePools(addresses, new NodePortAllocator());
    }

    /** Returns the served families; services have the first unless they request another. */
    List<String> families() {
        return List.copyOf(addresses.keySet());
    }

    void releaseAddress(String address) {
        @Nullable ClusterIpAllocator pool = addresses.get(ServiceRange.family(address));
        if (pool != null) {
            pool.release(address);
        }
    }

    /** Releases the addresses and ports of the old spec that the new one, which may be empty, no longer holds. */
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
        List<Long> held = new ArrayList<>(ServiceSpecs.hasNodePorts(spec) ? ServiceSpecs.nodePorts(spec) : List.of());
        if (ServiceSpecs.hasHealthCheckPort(spec)) {
            held.add(ServiceSpecs.number(spec, "healthCheckNodePort"));
        }
        return held;
    }
}
