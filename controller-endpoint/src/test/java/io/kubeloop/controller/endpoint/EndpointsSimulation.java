package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.ServicesSimulation;
import io.kubeloop.controller.simulation.SimulatedManager;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The simulated world of services and pods, and the controller of Endpoints in it. */
final class EndpointsSimulation extends ServicesSimulation {

    EndpointsSimulation(long seed) {
        super(seed, false);
    }

    @Override
    protected SimulatedManager.Wiring wiring() {
        return (manager, client, clock) -> {
            var services = manager.cache(ResourceTypes.SERVICES);
            var pods = manager.cache(ResourceTypes.PODS);
            var endpoints = manager.cache(ResourceTypes.ENDPOINTS);
            EndpointCaches caches = new EndpointCaches(services, pods, endpoints);
            RecentWrites<Endpoints> recentWrites = new RecentWrites<>(clock);
            EndpointControllerConfig config = EndpointControllerConfig.DEFAULT;
            EndpointsSync sync = new EndpointsSync(
                    caches, client, new FakeRecorder(), recentWrites, manager.queue(), config.rules());
            EndpointEventHandlers handlers = new EndpointEventHandlers(caches, manager.queue(), recentWrites, config);
            manager.watch(ResourceTypes.SERVICES, services, handlers.ofServices());
            manager.watch(ResourceTypes.PODS, pods, handlers.ofPods());
            manager.watch(ResourceTypes.ENDPOINTS, endpoints, handlers.ofEndpoints());
            return sync::syncService;
        };
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
