/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.ServicesSimulation;
import io.kubeloop.controller.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The simulated world of services and pods, and the controller of Endpoints in it. */
final class EndpointsSimulation extends ServicesSimulation {

    EndpointsSimulation(long seed) {
        super(seed, false);
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<Service> services = new LaggingCache<>();
        LaggingCache<Pod> pods = new LaggingCache<>();
        LaggingCache<Endpoints> endpoints = new LaggingCache<>();
        EndpointCaches caches = new EndpointCaches(services, pods, endpoints);
        WriteBarrier barrier = new WriteBarrier(clock, process.queue::add)
                .follow(ResourceTypes.SERVICES, services)
                .follow(ResourceTypes.ENDPOINTS, endpoints);
        EndpointsSync sync = new EndpointsSync(caches, process.client(), new FakeRecorder(), barrier);
        EndpointEventHandlers handlers = new EndpointEventHandlers(caches, process.queue, Duration.ZERO);
        process.cache(ResourceTypes.SERVICES, services, handlers.ofServices());
        process.cache(ResourceTypes.PODS, pods, handlers.ofPods());
        process.cache(ResourceTypes.ENDPOINTS, endpoints, handlers.ofEndpoints());
        return sync::syncService;
    }

    @Override
    protected Map<String, List<String>> stored() {
        Map<String, List<String>> stored = new TreeMap<>();
        list(ResourceTypes.ENDPOINTS)
                .forEach(endpoints -> stored.put(endpoints.metadata().name(), addressesOf(endpoints)));
        return stored;
    }

    private static List<String> addressesOf(Endpoints endpoints) {
        TreeSet<String> lines = new TreeSet<>();
        endpoints
                .subsets()
                .forEach(subset -> subset.ports().forEach(port -> {
                    subset.addresses().forEach(address -> lines.add(address.ip() + ":" + port.port()));
                    subset.notReadyAddresses()
                            .forEach(address -> lines.add(address.ip() + ":" + port.port() + " not ready"));
                }));
        return List.copyOf(lines);
    }

    @Override
    protected boolean spoil(ObjectName service) {
        client.resource(ResourceTypes.ENDPOINTS).delete(service, new DeleteOptions(0L, null, null, null));
        return true;
    }
}
