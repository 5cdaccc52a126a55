/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServicePort;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointBuilder;
import io.kubeloop.api.discovery.EndpointConditions;
import io.kubeloop.api.discovery.EndpointSlicePort;
import io.kubeloop.api.discovery.EndpointSlicePortBuilder;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.services.ContainerPorts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that a service should have for one address type.
 *
 * @param groups the endpoints by their ports
 * @param homeless pods that were left out because their node does not exist; the sync must run again
 */
record DesiredEndpoints(Map<Set<EndpointSlicePort>, PortGroup> groups, List<Pod> homeless) {

    /** Computes the endpoints from the pods that the service selects. O(pods). */
    static DesiredEndpoints of(Service service, List<Pod> pods, String addressType, Lister<Node> nodes) {
        DesiredEndpoints result = new DesiredEndpoints(new LinkedHashMap<>(), new ArrayList<>());
        for (Pod pod : pods) {
            if (mayBeListed(pod)) {
                result.add(
                        service,
                        pod,
                        addressType,
                        nodes.get(new ObjectName("", pod.spec().nodeName())));
            }
        }
        return result;
    }

    /** A pod that is terminating stays listed; its conditions say so. */
    private static boolean mayBeListed(Pod pod) {
        return !pod.isFinished()
                && !(pod.status().podIP().isEmpty() && pod.status().podIPs().isEmpty());
    }

    private void add(Service service, Pod pod, String addressType, @Nullable Node node) {
        List<EndpointSlicePort> ports = ports(service, pod);
        PortGroup group = groups.computeIfAbsent(PortGroup.key(ports), key -> PortGroup.empty(ports));
        if (node == null && !service.spec().publishNotReadyAddresses()) {
            homeless.add(pod);
            return;
        }
        List<String> addresses = AddressTypes.addresses(pod, addressType);
        if (!addresses.isEmpty()) {
            group.add(endpoint(service, pod, addresses, node));
        }
    }

    private static List<EndpointSlicePort> ports(Service service, Pod pod) {
        List<EndpointSlicePort> result = new ArrayList<>();
        for (ServicePort port : service.spec().ports()) {
            OptionalInt number = ContainerPorts.findPort(pod, port);
            if (number.isPresent()) {
                result.add(EndpointSlicePortBuilder.builder()
                        .name(port.name())
                        .port(number.getAsInt())
                        .protocol(port.protocol())
                        .appProtocol(port.appProtocol())
                        .build());
            }
        }
        return result;
    }

    private static Endpoint endpoint(Service service, Pod pod, List<String> addresses, @Nullable Node node) {
        boolean serving = pod.isReady();
        boolean terminating = pod.metadata().isDeleting();
        boolean ready = service.spec().publishNotReadyAddresses() || (serving && !terminating);
        String zone = node == null ? "" : ZoneShares.zoneOf(node);
        return EndpointBuilder.builder()
                .addresses(addresses)
                .conditions(new EndpointConditions(ready, serving, terminating, UnknownFields.NONE))
                .targetRef(ObjectReferenceBuilder.builder()
                        .kind("Pod")
                        .namespace(pod.metadata().namespace())
                        .name(pod.metadata().name())
                        .uid(pod.metadata().uid())
                        .build())
                .nodeName(emptyToNull(pod.spec().nodeName()))
                .zone(emptyToNull(zone))
                .hostname(hasHostname(service, pod) ? pod.spec().hostname() : null)
                .build();
    }

    private static boolean hasHostname(Service service, Pod pod) {
        return !pod.spec().hostname().isEmpty()
                && pod.spec().subdomain().equals(service.metadata().name());
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
