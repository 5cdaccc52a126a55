/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodIP;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceSpec;
import io.kubeloop.api.value.IpAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The address types of services and pods. Stateless. */
final class AddressTypes {

    static final String IPV4 = "IPv4";
    static final String IPV6 = "IPv6";

    private AddressTypes() {}

    static String of(IpAddress address) {
        return address.isV6() ? IPV6 : IPV4;
    }

    /** Returns the types for which the service has slices (upstream: {@code getAddressTypesForService}). */
    static Set<String> of(Service service) {
        ServiceSpec spec = service.spec();
        Set<String> types = new LinkedHashSet<>(spec.ipFamilies());
        types.retainAll(Set.of(IPV4, IPV6));
        if (!types.isEmpty()) {
            return types;
        }
        // A service that an API server before v1.20 stored has no families.
        if (spec.hasClusterIP()) {
            return Set.of(IpAddress.isV6(spec.clusterIP()) ? IPV6 : IPV4);
        }
        return new LinkedHashSet<>(List.of(IPV4, IPV6));
    }

    /** Returns the pod's addresses of the type, in their canonical form. */
    static List<String> addresses(Pod pod, String type) {
        List<String> result = new ArrayList<>();
        for (PodIP podIp : pod.status().podIPs()) {
            IpAddress address = IpAddress.parseSloppy(podIp.ip());
            if (address != null && of(address).equals(type)) {
                result.add(address.canonical());
            }
        }
        return result;
    }
}
