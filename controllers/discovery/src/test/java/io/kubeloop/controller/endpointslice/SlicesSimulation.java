/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.services.ServiceSelectorCache;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.ServicesSimulation;
import io.kubeloop.controller.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The simulated world of services and pods, and the controller of EndpointSlices in it, with few endpoints per slice.
 */
final class SlicesSimulation extends ServicesSimulation {

    private static final int MAX_ENDPOINTS = 3;

    SlicesSimulation(long seed) {
        super(seed, true);
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<Service> services = new LaggingCache<>();
        LaggingCache<Pod> pods = new LaggingCache<>();
        LaggingCache<Node> nodes = new LaggingCache<>();
        LaggingCache<EndpointSlice> slices = new LaggingCache<>();
        EndpointSliceCaches caches = new EndpointSliceCaches(services, pods, nodes, slices);
        SliceLabels labels = new SliceLabels(EndpointSliceController.CONTROLLER_NAME);
        EndpointSliceTracker tracker = new EndpointSliceTracker(clock);
        TopologyHints topology = new TopologyHints();
        EndpointSliceSync sync = new EndpointSliceSync(
                caches,
                labels,
                MAX_ENDPOINTS,
                new SliceWriter(
                        process.client().resource(ResourceTypes.ENDPOINT_SLICES),
                        tracker,
                        "Service",
                        new SliceMetrics("test_", MAX_ENDPOINTS, ControllerMetrics.NONE)),
                topology,
                new FakeRecorder());
        var handlers = new EndpointSliceController.Handlers(
                caches, process.queue, topology, Duration.ZERO, new ServiceSelectorCache());
        process.cache(ResourceTypes.SERVICES, services, handlers.ofServices());
        process.cache(ResourceTypes.PODS, pods, handlers.ofPods());
        process.cache(ResourceTypes.NODES, nodes, handlers.ofNodes());
        process.cache(ResourceTypes.ENDPOINT_SLICES, slices, new SliceHandler(labels, tracker, process.queue::add));
        return sync::syncService;
    }

    @Override
    protected Map<String, List<String>> stored() {
        List<Service> services = list(ResourceTypes.SERVICES);
        Map<String, List<String>> result = new TreeMap<>();
        for (Service service : services) {
            TreeSet<String> lines = new TreeSet<>();
            Set<String> pods = new HashSet<>();
            int slices = 0;
            for (EndpointSlice slice : list(ResourceTypes.ENDPOINT_SLICES)) {
                // The garbage collector would delete the slices of an earlier service of this name.
                if (SliceLabels.isOwned(slice, service)) {
                    slices++;
                    add(lines, pods, slice);
                }
            }
            assertThat(slices).as("slices of " + service.metadata().name()).isPositive();
            result.put(service.metadata().name(), List.copyOf(lines));
        }
        return result;
    }

    private static void add(Set<String> lines, Set<String> pods, EndpointSlice slice) {
        assertThat(slice.endpoints()).hasSizeLessThanOrEqualTo(MAX_ENDPOINTS);
        for (Endpoint endpoint : slice.endpoints()) {
            String pod = endpoint.targetRef().name();
            assertThat(pods.add(pod)).as("%s is in one slice only", pod).isTrue();
            slice.ports().forEach(port -> lines.add(line(endpoint, port.port())));
        }
    }

    private static String line(Endpoint endpoint, Integer port) {
        boolean ready = Boolean.TRUE.equals(endpoint.conditions().ready());
        return endpoint.addresses().get(0) + ":" + port + (ready ? "" : " not ready");
    }

    @Override
    protected boolean spoil(ObjectName service) {
        List<EndpointSlice> slices = list(ResourceTypes.ENDPOINT_SLICES).stream()
                .filter(slice -> service.equals(SliceLabels.serviceOf(slice)))
                .toList();
        if (slices.isEmpty()) {
            return false;
        }
        ObjectName slice = slices.get(random.nextInt(slices.size())).objectName();
        if (random.nextBoolean()) {
            client.resource(ResourceTypes.ENDPOINT_SLICES).delete(slice, new DeleteOptions(0L, null, null, null));
        } else {
            client.resource(ResourceTypes.ENDPOINT_SLICES)
                    .edit(slice, found -> SlicePlan.withEndpoints(found, List.of()));
        }
        return true;
    }
}
