/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Endpoints that a user maintains, and their service, in a world that goes wrong; see {@link WorkloadSimulation}.
 * Nothing watches the slices but the controller, and somebody spoils them.
 */
final class MirroringSimulation extends WorkloadSimulation<Endpoints> {

    private static final ObjectName KEY = new ObjectName("default", "db");

    private final ResourceClient<EndpointSlice> slices = client.resource(ResourceTypes.ENDPOINT_SLICES);
    private final ResourceClient<Service> services = client.resource(ResourceTypes.SERVICES);

    MirroringSimulation(long seed) {
        super(seed, ResourceTypes.ENDPOINTS, KEY);
        create(
                ResourceTypes.SERVICES,
                "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"db\",\"namespace\":\"default\"},"
                        + "\"spec\":{\"ports\":[{\"port\":80}]}}");
        create();
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<Service> cachedServices = new LaggingCache<>();
        LaggingCache<Endpoints> cachedEndpoints = new LaggingCache<>();
        LaggingCache<EndpointSlice> cachedSlices = new LaggingCache<>();
        SliceLabels labels = new SliceLabels(EndpointSliceMirroringController.CONTROLLER_NAME);
        EndpointSliceTracker tracker = new EndpointSliceTracker(clock);
        MirroringSync sync = new MirroringSync(
                new MirroringSync.Caches(cachedServices, cachedEndpoints, cachedSlices),
                labels,
                EndpointSliceConfig.MIRRORING.maxEndpoints(),
                new SliceWriter(
                        process.client().resource(ResourceTypes.ENDPOINT_SLICES),
                        tracker,
                        "Endpoints",
                        new SliceMetrics(
                                "test_", EndpointSliceConfig.MIRRORING.maxEndpoints(), ControllerMetrics.NONE)),
                new FakeRecorder(),
                clock);
        process.cache(
                ResourceTypes.SERVICES,
                cachedServices,
                new EndpointSliceMirroringController.ServiceHandler(process.queue));
        process.cache(
                ResourceTypes.ENDPOINTS,
                cachedEndpoints,
                new EndpointSliceMirroringController.EndpointsHandler(process.queue));
        process.cache(
                ResourceTypes.ENDPOINT_SLICES, cachedSlices, new SliceHandler(labels, tracker, process.queue::add));
        return sync::syncEndpoints;
    }

    @Override
    protected void create() {
        create(
                ResourceTypes.ENDPOINTS,
                "{\"apiVersion\":\"v1\",\"kind\":\"Endpoints\",\"metadata\":{\"name\":\"db\","
                        + "\"namespace\":\"default\"},"
                        + subsets() + "}");
    }

    /** Makes up to two subsets that differ in their ports. */
    private String subsets() {
        return IntStream.range(0, random.nextInt(3))
                .mapToObj(subset -> "{\"addresses\":" + addresses(10 * subset) + ",\"notReadyAddresses\":"
                        + addresses(10 * subset + 5) + ",\"ports\":[{\"port\":" + (80 + subset) + "}]}")
                .collect(Collectors.joining(",", "\"subsets\":[", "]"));
    }

    private String addresses(int first) {
        return IntStream.range(first, first + 1 + random.nextInt(4))
                .mapToObj(address -> "{\"ip\":\"10.0.0." + (1 + address) + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Override
    protected void somebodyActs() {
        switch (random.nextInt(6)) {
            case 0, 1 -> patch("{" + subsets() + "}");
            case 2 ->
                patch("{\"metadata\":{\"labels\":{\"endpointslice.kubernetes.io/skip-mirror\":"
                        + (random.nextBoolean() ? "\"true\"" : "null") + "}}}");
            case 3 -> {
                note("the service gains or loses its selector");
                services.patch(
                        KEY,
                        Patch.merge("{\"spec\":{\"selector\":" + (random.nextInt(3) == 0 ? "{\"app\":\"db\"}" : "null")
                                + "}}"));
            }
            default -> spoil();
        }
    }

    private void spoil() {
        List<EndpointSlice> mirrors = mirrors();
        if (mirrors.isEmpty()) {
            return;
        }
        EndpointSlice slice = mirrors.get(random.nextInt(mirrors.size()));
        note("somebody spoils " + slice.metadata().name());
        if (random.nextBoolean()) {
            slices.delete(slice.objectName(), DeleteOptions.DEFAULT);
        } else {
            slices.edit(slice.objectName(), found -> SlicePlan.withEndpoints(found, List.of()));
        }
    }

    /** The slices of Endpoints that are gone go too. */
    @Override
    protected void collectGarbage() {
        String uid = owner().metadata().uid();
        for (EndpointSlice slice : slices.list("", ListOptions.NONE).items()) {
            OwnerReference controller = slice.metadata().controller();
            if (controller != null
                    && controller.kind().equals("Endpoints")
                    && !controller.uid().equals(uid)) {
                slices.delete(slice.objectName(), DeleteOptions.DEFAULT);
            }
        }
        worldChanged();
    }

    private List<EndpointSlice> mirrors() {
        return slices.list("", ListOptions.NONE).items().stream()
                .filter(slice -> EndpointSliceMirroringController.CONTROLLER_NAME.equals(
                        slice.metadata().labels().get(SliceLabels.MANAGED_BY)))
                .toList();
    }

    @Override
    protected String node(Pod pod) {
        throw new IllegalStateException("there are no pods");
    }

    @Override
    protected void check(ApiRequest write) {
        assertThat(write.path()).as("writes, after %s", history).contains("/endpointslices");
    }

    @Override
    protected void checkSettled() {
        Endpoints endpoints = owner();
        Set<String> wanted = new TreeSet<>();
        if (MirroringSync.mayBeMirrored(endpoints) && !services.get(KEY).spec().hasSelector()) {
            endpoints.subsets().forEach(subset -> {
                int port = subset.ports().get(0).port();
                subset.addresses().forEach(address -> wanted.add(address.ip() + ":" + port));
                subset.notReadyAddresses().forEach(address -> wanted.add(address.ip() + ":" + port + " not ready"));
            });
        }
        List<String> mirrored = mirrors().stream()
                .flatMap(slice -> slice.endpoints().stream()
                        .map(endpoint -> line(endpoint, slice.ports().get(0).port())))
                .sorted()
                .toList();
        assertThat(mirrored).as("mirrored, after %s", history).containsExactlyElementsOf(wanted);
    }

    private static String line(Endpoint endpoint, Integer port) {
        boolean ready = Boolean.TRUE.equals(endpoint.conditions().ready());
        return endpoint.addresses().get(0) + ":" + port + (ready ? "" : " not ready");
    }
}
