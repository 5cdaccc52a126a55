/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.discovery.EndpointSlicePort;
import io.kubeloop.api.discovery.EndpointSlicePortBuilder;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The endpoints that have the same ports and therefore share slices.
 *
 * @param ports the ports of each endpoint
 * @param endpoints the endpoints by their keys; a group in the making is modifiable
 */
record PortGroup(List<EndpointSlicePort> ports, Map<EndpointKey, Endpoint> endpoints) {

    static PortGroup empty(List<EndpointSlicePort> ports) {
        return new PortGroup(List.copyOf(ports), new LinkedHashMap<>());
    }

    void add(Endpoint endpoint) {
        endpoints.put(EndpointKey.of(endpoint), endpoint);
    }

    /** Returns the key of a port group: its ports in any order (upstream: {@code NewPortMapKey}). */
    static Set<EndpointSlicePort> key(Collection<EndpointSlicePort> ports) {
        return ports.stream()
                .map(port -> EndpointSlicePortBuilder.builder(port)
                        .unknownFields(UnknownFields.NONE)
                        .build())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Groups slices by their ports, in their order. */
    static Map<Set<EndpointSlicePort>, List<EndpointSlice>> byPorts(List<EndpointSlice> slices) {
        return slices.stream()
                .collect(Collectors.groupingBy(slice -> key(slice.ports()), LinkedHashMap::new, Collectors.toList()));
    }
}
