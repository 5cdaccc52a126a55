/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.network;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.PortRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of EndpointSlices (upstream: {@code pkg/apis/discovery/validation}). */
public final class SliceRules {

    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
    private static final int MAX_ENDPOINTS = 1000;
    private static final int MAX_PORTS = 20000;
    private static final List<String> CONTROLLERS =
            List.of("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io");

    private SliceRules() {}

    /** Validates a new slice. */
    public static void create(FieldCursor slice) {
        slice.at("addressType").declared().requireOneOf(ADDRESS_TYPES);
        ports(slice);
        endpoints(slice);
    }

    /** Validates a changed slice, its endpoints only if they have changed. */
    public static void update(FieldCursor slice, FieldCursor old) {
        slice.at("addressType").requireOneOf(ADDRESS_TYPES);
        slice.at("addressType").declared().unchanged(old.at("addressType"));
        ports(slice);
        if (!slice.at("endpoints").isSameAs(old.at("endpoints"))) {
            endpoints(slice);
        }
    }

    /** Returns the warnings about addresses that a controller has not set. */
    public static List<String> warnings(FieldCursor slice, boolean isNew) {
        List<String> warnings = new ArrayList<>();
        if (isNew && slice.at("addressType").text().equals("FQDN")) {
            warnings.add("spec.addressType: FQDN endpoints are deprecated");
        }
        FieldCursor manager = slice.at("metadata", "labels", "endpointslice.kubernetes.io/managed-by");
        if (!CONTROLLERS.contains(manager.text())) {
            slice.at("endpoints")
                    .each(endpoint -> endpoint.at("addresses")
                            .each(address -> warnings.addAll(AddressRules.ipWarnings(address.path(), address.text()))));
        }
        return warnings;
    }

    private static void ports(FieldCursor slice) {
        FieldCursor ports = slice.at("ports");
        if (ports.array().size() > MAX_PORTS) {
            ports.atMost(MAX_PORTS);
            return;
        }
        Set<String> names = new HashSet<>();
        ports.each(port -> port(port, names));
    }

    /** As upstream, the rules ignore the number of the port. */
    private static void port(FieldCursor port, Set<String> names) {
        FieldCursor name = port.at("name").holdingText();
        FieldCursor protocol = port.at("protocol");
        name.followsIfSet(NameValidation::dns1123Label);
        if (!names.add(name.text())) {
            name.duplicate();
        }
        PortRules.protocol(protocol.path(), protocol.text(), protocol.errors());
        PortRules.applicationProtocol(port.at("appProtocol").path(), port.object(), port.errors());
    }

    private static void endpoints(FieldCursor slice) {
        FieldCursor endpoints = slice.at("endpoints");
        if (endpoints.array().size() > MAX_ENDPOINTS) {
            endpoints.atMost(MAX_ENDPOINTS);
            return;
        }
        String type = slice.at("addressType").text();
        endpoints.each(
                endpoint -> SliceEndpointRules.check(endpoint.path(), endpoint.object(), type, endpoint.errors()));
    }
}
