package io.kubeloop.controller.endpoint;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.leaderelection.LeaderTransport;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.controller.simulation.UnreliableNetwork;
import io.kubeloop.json.JsonCodec;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A process that runs the controller: its caches, its queue, and its way to the server while it leads. */
final class SimulatedEndpointManager {

    private static final ListOptions EVERYTHING = ListOptionsBuilder.builder().build();

    final UnreliableNetwork network;
    private final LaggingCache<Service> services = new LaggingCache<>();
    private final LaggingCache<Pod> pods = new LaggingCache<>();
    private final LaggingCache<Endpoints> endpoints = new LaggingCache<>();
    private final KubeClient server;
    private final SimulatedQueue<ObjectName> queue;
    private final EndpointsSync sync;

    /**
     * Makes a process whose caches show what the server has now.
     *
     * @param isLeading checked before each write
     * @param beforeWrite called when a write is about to leave; may change the world
     * @param afterWrite called when the server has carried one out
     */
    SimulatedEndpointManager(
            Transport transport,
            Clock clock,
            Random random,
            Predicate<SimulatedEndpointManager> isLeading,
            Runnable beforeWrite,
            Runnable afterWrite) {
        server = KubeClient.of(transport, JsonCodec.standard());
        queue = new SimulatedQueue<>(clock);
        // As in production, leadership is checked before a write waits, and again when it is sent.
        BooleanSupplier leading = () -> isLeading.test(this);
        network = new UnreliableNetwork(
                new LeaderTransport(transport, leading),
                random,
                request -> beforeWrite.run(),
                request -> afterWrite.run());
        EndpointCaches caches = new EndpointCaches(services, pods, endpoints);
        RecentWrites<Endpoints> recentWrites = new RecentWrites<>(clock);
        EndpointControllerConfig config = EndpointControllerConfig.DEFAULT;
        sync = new EndpointsSync(
                caches,
                KubeClient.of(new LeaderTransport(network, leading), JsonCodec.standard()),
                new FakeRecorder(),
                recentWrites,
                queue,
                config.rules());
        EndpointEventHandlers handlers = new EndpointEventHandlers(caches, queue, recentWrites, config);
        services.start(list(ResourceTypes.SERVICES), handlers.ofServices());
        pods.start(list(ResourceTypes.PODS), handlers.ofPods());
        endpoints.start(list(ResourceTypes.ENDPOINTS), handlers.ofEndpoints());
    }

    private <T extends KubeObject> List<T> list(ResourceType<T> type) {
        return server.resource(type).list("", EVERYTHING).items();
    }

    /** Lets the watches know what the server has now. */
    void worldChanged() {
        services.serverHas(list(ResourceTypes.SERVICES));
        pods.serverHas(list(ResourceTypes.PODS));
        endpoints.serverHas(list(ResourceTypes.ENDPOINTS));
    }

    /** Shows everything that is still to be shown; returns whether there was anything. */
    boolean deliverAll() {
        int shown = 0;
        while (services.deliver() || pods.deliver() || endpoints.deliver()) {
            shown++;
        }
        return shown > 0;
    }

    /** Returns one of the three caches. */
    LaggingCache<?> anyCache(Random random) {
        return List.of(services, pods, endpoints).get(random.nextInt(3));
    }

    /** Every watch starts again. */
    void relistAll() {
        services.relist();
        pods.relist();
        endpoints.relist();
    }

    /** Takes a key from the queue and syncs it; returns what came of it, or an empty text if no key was due. */
    String processNextWorkItem() {
        ObjectName key = queue.get();
        if (key == null) {
            return "";
        }
        try {
            sync.syncService(key);
            queue.forget(key);
            return "sync of " + key.name();
        } catch (RuntimeException e) {
            queue.addRateLimited(key);
            return "sync of " + key.name() + " failed: " + e.getMessage();
        } finally {
            queue.done(key);
        }
    }
}
