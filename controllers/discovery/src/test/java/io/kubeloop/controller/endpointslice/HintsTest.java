/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import static io.kubeloop.controller.endpointslice.SliceTestObjects.LABELS;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.PORTS;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.endpoint;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.endpoints;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.node;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.service;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointHints.Topology;
import io.kubeloop.api.discovery.EndpointSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintsTest {

    private static final ObjectName WEB = new ObjectName("default", "web");
    private static final Service SERVICE = service("");

    private final SlicePlan plan = new SlicePlan();
    private final TopologyHints topology = new TopologyHints();

    private static Service with(String distribution) {
        return new Service(
                SERVICE.metadata(),
                ServiceSpecBuilder.builder(SERVICE.spec())
                        .trafficDistribution(distribution)
                        .build(),
                SERVICE.unknownFields());
    }

    private static List<String> names(Endpoint endpoint) {
        return endpoint.hints() == null
                ? List.of()
                : endpoint.hints().forZones().stream().map(Topology::name).toList();
    }

    private void create(List<Endpoint> endpoints) {
        plan.creates().add(SlicePlan.withEndpoints(LABELS.newSlice(SERVICE, AddressTypes.IPV4, PORTS), endpoints));
    }

    private Map<String, Long> hintsByZone() {
        return plan.creates().get(0).endpoints().stream()
                .flatMap(endpoint -> names(endpoint).stream())
                .collect(Collectors.groupingBy(zone -> zone, Collectors.counting()));
    }

    @ParameterizedTest
    @CsvSource({"PreferClose,true", "PreferSameZone,true", "PreferSameNode,true", "Elsewhere,false", ",false"})
    void trafficDistribution_isSet_knowsTheValuesOfTheRelease(String value, boolean isSet) {
        assertThat(TrafficDistribution.isSet(with(value))).isEqualTo(isSet);
    }

    @Test
    void sameZone_readyEndpointsGetTheirZone_othersStay() {
        create(List.of(endpoint(1, "a", true), endpoint(2, "b", false)));
        TrafficDistribution.assign(with("PreferSameZone"), List.of(), plan);

        List<Endpoint> result = plan.creates().get(0).endpoints();
        assertThat(names(result.get(0))).containsExactly("a");
        assertThat(result.get(0).hints().forNodes()).isEmpty();
        assertThat(result.get(1).hints()).isNull();
    }

    @Test
    void sameNode_anUnchangedSliceWithZoneHintsOnly_isUpdated() {
        create(endpoints(1, 1));
        TrafficDistribution.assign(with("PreferSameZone"), List.of(), plan);
        EndpointSlice stored = slice(SERVICE, "a", plan.creates().get(0).endpoints());
        SlicePlan again = new SlicePlan();
        TrafficDistribution.assign(with("PreferSameZone"), List.of(stored), again);
        assertThat(again.updates()).isEmpty();

        TrafficDistribution.assign(with("PreferSameNode"), List.of(stored), again);
        assertThat(again.updates())
                .singleElement()
                .satisfies(slice ->
                        assertThat(slice.endpoints().get(0).hints().forNodes()).containsExactly(Topology.named("n-a")));

        SlicePlan removal = new SlicePlan();
        TrafficDistribution.remove(List.of(stored), removal);
        assertThat(removal.updates())
                .singleElement()
                .satisfies(slice -> assertThat(slice.endpoints().get(0).hints()).isNull());
    }

    @Test
    void topology_zonesOfEqualSize_receiveEqualNumbersOfEndpoints() {
        topology.setNodes(List.of(node("1", "a", "2"), node("2", "b", "1500m"), node("3", "b", "500m")));
        List<Endpoint> endpoints = new ArrayList<>(endpoints(1, 6));
        endpoints.add(endpoint(7, "b", true));
        endpoints.add(endpoint(8, "b", true));
        create(endpoints);

        assertThat(topology.assign(WEB, "IPv4", List.of(), plan).message())
                .isEqualTo("Topology Aware Hints has been enabled, addressType: IPv4");
        assertThat(hintsByZone()).isEqualTo(Map.of("a", 4L, "b", 4L));
        assertThat(topology.forget(WEB, "IPv4").message())
                .isEqualTo("Topology Aware Hints has been disabled, addressType: IPv4");
        assertThat(topology.forget(WEB, "IPv4")).isNull();
    }

    @Test
    void topology_withoutEnoughNodesOrEndpoints_removesHintsAndSaysWhy() {
        create(endpoints(1, 1));
        assertThat(topology.assign(WEB, "IPv4", List.of(), plan).message())
                .isEqualTo("Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, "
                        + "addressType: IPv4");

        topology.setNodes(List.of(node("1", "a", "1"), node("2", "b", "1")));
        assertThat(topology.assign(WEB, "IPv4", List.of(), plan).message())
                .isEqualTo("Insufficient number of endpoints (1 endpoints, 2 zones), addressType: IPv4");

        topology.setNodes(List.of(node("1", "a", "1"), node("2", "b", "1"), node("3", "c", "1")));
        create(endpoints(2, 4));
        assertThat(topology.assign(WEB, "IPv4", List.of(), plan).message())
                .isEqualTo("Unable to allocate minimum required endpoints to each zone without exceeding overload "
                        + "threshold"
                        + " (4 endpoints, 3 zones), addressType: IPv4");
        assertThat(hintsByZone()).isEmpty();
    }

    @Test
    void topology_aNodeJoins_namesTheServicesThatAreOverloaded() {
        topology.setNodes(List.of(node("1", "a", "1"), node("2", "b", "1")));
        List<Endpoint> endpoints = new ArrayList<>(endpoints(1, 3));
        endpoints.addAll(List.of(endpoint(4, "b", true), endpoint(5, "b", true), endpoint(6, "b", true)));
        create(endpoints);
        topology.assign(WEB, "IPv4", List.of(), plan);

        assertThat(topology.setNodes(List.of(node("1", "a", "1"), node("2", "b", "1"))))
                .isEmpty();
        assertThat(topology.setNodes(List.of(node("1", "a", "1"), node("2", "b", "4"))))
                .containsExactly(WEB);
    }

    @ParameterizedTest
    @CsvSource({
        "service.kubernetes.io/topology-mode,Auto,true",
        "service.kubernetes.io/topology-aware-hints,auto,true",
        "service.kubernetes.io/topology-mode,Disabled,false"
    })
    void topology_isRequested_byEitherAnnotation(String annotation, String value, boolean requested) {
        assertThat(TopologyHints.isRequested(service(",'annotations':{'" + annotation + "':'" + value + "'}")))
                .isEqualTo(requested);
    }
}
