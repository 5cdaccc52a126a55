/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointBuilder;
import io.kubeloop.api.discovery.EndpointConditionsBuilder;
import io.kubeloop.api.discovery.EndpointSlicePort;
import io.kubeloop.api.discovery.EndpointSlicePortBuilder;
import io.kubeloop.api.value.IpAddress;
import io.kubeloop.controller.services.SubsetPacker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The endpoints that mirror an Endpoints object. For one thread.
 *
 * <p>At most a fixed number of addresses of each subset is mirrored, so a subset needs one slice for each address
 * type.
 */
final class MirroredEndpoints {

    /**
     * The properties that the endpoints of one slice share.
     *
     * @param addressType the type of their addresses
     * @param ports their ports, in any order
     */
    record Key(String addressType, Set<EndpointSlicePort> ports) {}

    private final Map<Key, PortGroup> groups = new LinkedHashMap<>();
    private final int maxAddresses;
    private int invalid;
    private int skipped;

    private MirroredEndpoints(int maxAddresses) {
        this.maxAddresses = maxAddresses;
    }

    /** Computes the endpoints. O(addresses). */
    static MirroredEndpoints of(Endpoints endpoints, int maxAddresses) {
        MirroredEndpoints result = new MirroredEndpoints(maxAddresses);
        SubsetPacker packer = new SubsetPacker();
        endpoints.subsets().forEach(packer::add);
        packer.pack().forEach(result::add);
        return result;
    }

    private void add(EndpointSubset subset) {
        List<EndpointSlicePort> ports =
                subset.ports().stream().map(MirroredEndpoints::port).toList();
        for (String type : List.of(AddressTypes.IPV4, AddressTypes.IPV6)) {
            groups.computeIfAbsent(new Key(type, PortGroup.key(ports)), key -> PortGroup.empty(ports));
        }
        int added = add(subset.addresses(), true, ports, 0);
        added = add(subset.notReadyAddresses(), false, ports, added);
        skipped += subset.addresses().size() + subset.notReadyAddresses().size() - added;
    }

    private int add(List<EndpointAddress> addresses, boolean ready, List<EndpointSlicePort> ports, int before) {
        int added = before;
        for (EndpointAddress address : addresses) {
            if (added >= maxAddresses) {
                return added;
            }
            IpAddress ip = IpAddress.parseSloppy(address.ip());
            if (ip == null) {
                invalid++;
                continue;
            }
            Key key = new Key(AddressTypes.of(ip), PortGroup.key(ports));
            groups.computeIfAbsent(key, k -> PortGroup.empty(ports)).add(endpoint(address, ip, ready));
            added++;
        }
        return added;
    }

    private static EndpointSlicePort port(EndpointPort port) {
        return EndpointSlicePortBuilder.builder()
                .name(port.name())
                .port(port.port())
                .protocol(port.protocol())
                .appProtocol(port.appProtocol())
                .build();
    }

    private static Endpoint endpoint(EndpointAddress address, IpAddress ip, boolean ready) {
        return EndpointBuilder.builder()
                .addresses(List.of(ip.canonical()))
                .conditions(EndpointConditionsBuilder.builder().ready(ready).build())
                .targetRef(address.targetRef())
                .nodeName(address.nodeName() == null || address.nodeName().isEmpty() ? null : address.nodeName())
                .hostname(address.hostname().isEmpty() ? null : address.hostname())
                .build();
    }

    /** Returns the endpoints grouped by the properties of their slices; a group may be empty. */
    Map<Key, PortGroup> groups() {
        return groups;
    }

    /** Returns the number of texts that are not IP addresses. */
    int invalid() {
        return invalid;
    }

    /** Returns the number of addresses that are not mirrored, invalid ones included. */
    int skipped() {
        return skipped;
    }
}
