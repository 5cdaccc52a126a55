package io.kubeloop.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.services.ServiceSelectorCache;
import io.kubeloop.controller.simulation.ServicesSimulation;
import io.kubeloop.controller.simulation.SimulatedManager;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The simulated world of services and pods, and the controller of EndpointSlices in it, with few endpoints per slice. */
final class SlicesSimulation extends ServicesSimulation {

    private static final int MAX_ENDPOINTS = 3;

    SlicesSimulation(long seed) {
        super(seed, true);
    }

    @Override
    protected SimulatedManager.Wiring wiring() {
        return (manager, client, clock) -> {
            var services = manager.cache(ResourceTypes.SERVICES);
            var pods = manager.cache(ResourceTypes.PODS);
            var nodes = manager.cache(ResourceTypes.NODES);
            var slices = manager.cache(ResourceTypes.ENDPOINT_SLICES);
            EndpointSliceCaches caches = new EndpointSliceCaches(services, pods, nodes, slices);
            SliceLabels labels = new SliceLabels(EndpointSliceController.CONTROLLER_NAME);
            EndpointSliceTracker tracker = new EndpointSliceTracker(clock);
            TopologyHints topology = new TopologyHints();
            EndpointSliceSync sync = new EndpointSliceSync(
                    caches,
                    labels,
                    MAX_ENDPOINTS,
                    new SliceWriter(client.resource(ResourceTypes.ENDPOINT_SLICES), tracker, "Service"),
                    tracker,
                    topology,
                    new FakeRecorder());
            var handlers = new EndpointSliceController.Handlers(
                    caches, manager.queue(), topology, Duration.ZERO, new ServiceSelectorCache());
            manager.watch(ResourceTypes.SERVICES, services, handlers.ofServices());
            manager.watch(ResourceTypes.PODS, pods, handlers.ofPods());
            manager.watch(ResourceTypes.NODES, nodes, handlers.ofNodes());
            manager.watch(
                    ResourceTypes.ENDPOINT_SLICES, slices, new SliceHandler(labels, tracker, manager.queue()::add));
            return sync::syncService;
        };
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
