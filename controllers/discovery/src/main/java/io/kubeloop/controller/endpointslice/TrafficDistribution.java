/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointBuilder;
import io.kubeloop.api.discovery.EndpointHints;
import io.kubeloop.api.discovery.EndpointSlice;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hints of a service whose field {@code trafficDistribution} is set: each ready endpoint is for the consumers of
 * its own zone or node (upstream: {@code k8s.io/endpointslice/trafficdist}). Stateless.
 */
final class TrafficDistribution {

    private static final String SAME_NODE = "PreferSameNode";
    private static final Set<String> VALUES = Set.of("PreferClose", "PreferSameZone", SAME_NODE);

    private TrafficDistribution() {}

    /** Returns whether the service has a traffic distribution that this release supports. */
    static boolean isSet(Service service) {
        String value = service.spec().trafficDistribution();
        return value != null && VALUES.contains(value);
    }

    /** Sets the hints in every slice that will be written, and adds slices whose hints are wrong to the plan. */
    static void assign(Service service, List<EndpointSlice> existing, SlicePlan plan) {
        boolean byNode = SAME_NODE.equals(service.spec().trafficDistribution());
        for (EndpointSlice slice : plan.unchanged(existing)) {
            if (slice.endpoints().stream().anyMatch(endpoint -> isWrong(endpoint, byNode))) {
                plan.updates().add(slice);
            }
        }
        plan.mapEndpoints(endpoint -> isReady(endpoint) ? withHints(endpoint, wanted(endpoint, byNode)) : endpoint);
    }

    private static boolean isWrong(Endpoint endpoint, boolean byNode) {
        return isReady(endpoint) && !orNone(wanted(endpoint, byNode)).equals(orNone(endpoint.hints()));
    }

    private static EndpointHints orNone(@Nullable EndpointHints hints) {
        return hints == null ? new EndpointHints(List.of(), List.of(), UnknownFields.NONE) : hints;
    }

    private static @Nullable EndpointHints wanted(Endpoint endpoint, boolean byNode) {
        List<EndpointHints.Topology> zones = listOf(endpoint.zone());
        List<EndpointHints.Topology> nodes = byNode ? listOf(endpoint.nodeName()) : List.of();
        return zones.isEmpty() && nodes.isEmpty() ? null : new EndpointHints(zones, nodes, UnknownFields.NONE);
    }

    private static List<EndpointHints.Topology> listOf(@Nullable String name) {
        return name == null ? List.of() : List.of(EndpointHints.Topology.named(name));
    }

    /** Returns whether the condition of the endpoint is ready. Only the hints of ready endpoints are changed. */
    static boolean isReady(Endpoint endpoint) {
        return Boolean.TRUE.equals(endpoint.conditions().ready());
    }

    static Endpoint withHints(Endpoint endpoint, @Nullable EndpointHints hints) {
        return EndpointBuilder.builder(endpoint).hints(hints).build();
    }

    /** Removes all hints; slices that have some are added to the plan. */
    static void remove(List<EndpointSlice> existing, SlicePlan plan) {
        for (EndpointSlice slice : plan.unchanged(existing)) {
            if (slice.endpoints().stream().anyMatch(endpoint -> endpoint.hints() != null)) {
                plan.updates().add(slice);
            }
        }
        plan.mapEndpoints(endpoint -> withHints(endpoint, null));
    }
}
