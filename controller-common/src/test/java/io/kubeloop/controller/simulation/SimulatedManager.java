package io.kubeloop.controller.simulation;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Transport;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.leaderelection.LeaderTransport;
import io.kubeloop.json.JsonCodec;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A process that runs one controller: its caches, its queue, and its way to the server while it leads. */
public final class SimulatedManager {

    /** Builds the controller of a process. */
    @FunctionalInterface
    public interface Wiring {

        /**
         * Registers handlers with the manager's caches, and returns the sync of a key.
         *
         * @param client the way to the server, which can fail
         */
        Consumer<ObjectName> wire(SimulatedManager manager, KubeClient client, Clock clock);
    }

    /** A cache and the kind that it shows. */
    private record Watch<T extends KubeObject>(ResourceType<T> type, LaggingCache<T> cache) {

        void serverHas(KubeClient server) {
            cache.serverHas(server.resource(type).list("", ListOptions.NONE).items());
        }
    }

    private final UnreliableNetwork network;
    private final List<Watch<?>> watches = new ArrayList<>();
    private final KubeClient server;
    private final SimulatedQueue<ObjectName> queue;
    private final Consumer<ObjectName> sync;

    /**
     * Makes a process whose caches show what the server has now.
     *
     * @param isLeading checked before each write
     * @param beforeWrite called when a write is about to leave; may change the world
     * @param afterWrite called when the server has carried one out
     */
    public SimulatedManager(
            Transport transport,
            Clock clock,
            Random random,
            Predicate<SimulatedManager> isLeading,
            Runnable beforeWrite,
            Runnable afterWrite,
            Wiring wiring) {
        server = KubeClient.of(transport, JsonCodec.standard());
        queue = new SimulatedQueue<>(clock);
        // As in production, leadership is checked before a write waits, and again when it is sent.
        BooleanSupplier leading = () -> isLeading.test(this);
        network = new UnreliableNetwork(
                new LeaderTransport(transport, leading),
                random,
                request -> beforeWrite.run(),
                request -> afterWrite.run());
        sync = wiring.wire(this, KubeClient.of(new LeaderTransport(network, leading), JsonCodec.standard()), clock);
    }

    /** Returns the queue of the controller. */
    public SimulatedQueue<ObjectName> queue() {
        return queue;
    }

    /** Returns the network, whose failures can be set. */
    public UnreliableNetwork network() {
        return network;
    }

    /** Returns a cache of the kind, which shows nothing until {@link #watch}. */
    public <T extends KubeObject> LaggingCache<T> cache(ResourceType<T> type) {
        LaggingCache<T> cache = new LaggingCache<>();
        watches.add(new Watch<>(type, cache));
        return cache;
    }

    /** Fills the cache with what the server has, and notifies the handler. */
    public <T extends KubeObject> void watch(
            ResourceType<T> type, LaggingCache<T> cache, ResourceEventHandler<T> handler) {
        cache.start(server.resource(type).list("", ListOptions.NONE).items(), handler);
    }

    /** Lets the watches know what the server has now. */
    public void worldChanged() {
        watches.forEach(watch -> watch.serverHas(server));
    }

    /** Shows everything that is still to be shown; returns whether there was anything. */
    public boolean deliverAll() {
        boolean any = false;
        for (boolean more = true; more; any |= more) {
            more = false;
            for (Watch<?> watch : watches) {
                more |= watch.cache().deliver();
            }
        }
        return any;
    }

    /** Returns one of the caches. */
    public LaggingCache<?> anyCache(Random random) {
        return watches.get(random.nextInt(watches.size())).cache();
    }

    /** Every watch starts again. */
    public void relistAll() {
        watches.forEach(watch -> watch.cache().relist());
    }

    /** Takes a key from the queue and syncs it; returns what came of it, or an empty text if no key was due. */
    public String processNextWorkItem() {
        ObjectName key = queue.get();
        if (key == null) {
            return "";
        }
        try {
            sync.accept(key);
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
