/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.network;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.PortRules;
import java.util.ArrayList;
import java.util.List;

/** Validation of Endpoints (upstream: {@code pkg/apis/core/validation}). */
public final class EndpointsRules {

    private static final List<String> LISTS = List.of("addresses", "notReadyAddresses");

    private EndpointsRules() {}

    /** Validates the subsets of Endpoints. */
    public static void create(FieldCursor endpoints) {
        endpoints.at("subsets").each(EndpointsRules::subset);
    }

    /** Validates the subsets of Endpoints if they have changed. */
    public static void update(FieldCursor endpoints, FieldCursor old) {
        if (!endpoints.at("subsets").isSameAs(old.at("subsets"))) {
            create(endpoints);
        }
    }

    /** Returns the warnings about addresses that a controller has not set. */
    public static List<String> warnings(FieldCursor endpoints) {
        List<String> warnings = new ArrayList<>();
        FieldCursor manager = endpoints.at("metadata", "labels", "endpoints.kubernetes.io/managed-by");
        if (!manager.text().equals("endpoint-controller")) {
            endpoints
                    .at("subsets")
                    .each(subset -> LISTS.forEach(list -> subset.at(list).each(address -> {
                        FieldCursor ip = address.at("ip");
                        warnings.addAll(AddressRules.ipWarnings(ip.path(), ip.text()));
                    })));
        }
        return warnings;
    }

    private static void subset(FieldCursor subset) {
        if (LISTS.stream().allMatch(list -> subset.at(list).isEmpty())) {
            subset.required("must specify `addresses` or `notReadyAddresses`");
        }
        LISTS.forEach(list -> subset.at(list).each(EndpointsRules::address));
        boolean isNamed = subset.at("ports").array().size() > 1;
        subset.at("ports").each(port -> port(port, isNamed));
    }

    private static void address(FieldCursor address) {
        FieldCursor ip = address.at("ip");
        boolean unused = AddressRules.ip(ip.path(), ip.text(), List.of(), ip.errors());
        address.at("hostname").followsIfSet(NameValidation::dns1123Label);
        address.at("nodeName").ifSet(name -> name.follows(NameValidation::dns1123Subdomain));
        AddressRules.reachable(ip.path(), ip.text(), ip.errors());
    }

    private static void port(FieldCursor port, boolean isNamed) {
        FieldCursor name = port.at("name");
        FieldCursor number = port.at("port");
        FieldCursor protocol = port.at("protocol");
        if (isNamed) {
            name.require();
        }
        name.followsIfSet(NameValidation::dns1123Label);
        PortRules.numberOrZero(number.path(), number.value(), number.errors());
        PortRules.protocol(protocol.path(), protocol.text(), protocol.errors());
        PortRules.applicationProtocol(port.at("appProtocol").path(), port.object(), port.errors());
    }
}
