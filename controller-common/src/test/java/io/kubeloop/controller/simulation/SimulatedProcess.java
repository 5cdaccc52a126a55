/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.leaderelection.FencedTransport;
import io.kubeloop.json.JsonCodec;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One process that runs a controller, for one thread: its caches lag, its handlers fall behind and its network fails.
 */
public final class SimulatedProcess {

    /** The cache of one resource, what feeds it, and the handler that it notifies. */
    private record Watch<T extends KubeObject>(ResourceClient<T> live, LaggingCache<T> cache, LateHandler<T> handler) {

        private KubeList<T> list() {
            return live.list("", ListOptions.NONE);
        }

        private void start() {
            cache.start(list(), handler);
            handler.tellAll();
        }

        private void worldChanged() {
            cache.serverHas(list());
        }
    }

    public final SimulatedQueue<ObjectName> queue;
    public final UnreliableNetwork network;
    private final KubeClient client;
    private final KubeClient live;
    private final List<Watch<?>> watches = new ArrayList<>();
    private final Random random;
    private Runnable beforeWork = () -> {};

    /**
     * Makes a process without caches.
     *
     * @param server the server; also what the caches are fed from
     * @param isLeading whether this process may write
     * @param beforeWrite called when a write is about to leave; may change the world
     * @param afterWrite called when the server has carried a write out
     */
    public SimulatedProcess(
            Transport server,
            Clock clock,
            Random random,
            Predicate<SimulatedProcess> isLeading,
            Consumer<ApiRequest> beforeWrite,
            Consumer<ApiRequest> afterWrite) {
        this.random = random;
        queue = new SimulatedQueue<>(clock);
        // As in production, leadership is checked before a write waits, and again when it is sent.
        BooleanSupplier leading = () -> isLeading.test(this);
        network = new UnreliableNetwork(new FencedTransport(server, leading), random, beforeWrite, afterWrite);
        client = KubeClient.of(new FencedTransport(network, leading), JsonCodec.standard());
        live = KubeClient.of(server, JsonCodec.standard());
    }

    /** Returns the client of the controller. */
    public KubeClient client() {
        return client;
    }

    /** Adds a cache, which {@link #start} fills. */
    public <T extends KubeObject> void cache(
            ResourceType<T> type, LaggingCache<T> cache, ResourceEventHandler<T> handler) {
        watches.add(new Watch<>(live.resource(type), cache, new LateHandler<>(handler)));
    }

    /** Adds the cache of the owners, whose events queue their keys. */
    public <T extends KubeObject> void owners(ResourceType<T> type, LaggingCache<T> cache) {
        cache(type, cache, new ResourceEventHandler<>() {
            @Override
            public void onAdd(T owner, boolean isInInitialList) {
                queue.add(owner.objectName());
            }

            @Override
            public void onUpdate(T old, T current) {
                queue.add(current.objectName());
            }

            @Override
            public void onDelete(DeletedObject<T> deleted) {
                queue.add(deleted.name());
            }
        });
    }

    /** Sets what another worker of the process does before each sync. */
    public void beforeWork(Runnable work) {
        beforeWork = work;
    }

    /** Fills the caches, as a new leader does; its handlers receive the initial lists before it works. */
    public void start() {
        watches.forEach(Watch::start);
    }

    /** Lets the watches know that the server has changed; the caches show it later. */
    public void worldChanged() {
        watches.forEach(Watch::worldChanged);
    }

    /** A watch delivers its oldest change, and some of the handlers catch up. */
    public void deliverSome() {
        any().cache().deliver();
        tellSome();
    }

    /** A watch lists again, and some of the handlers catch up. */
    public void relistSome() {
        any().cache().relist();
        tellSome();
    }

    /** A watch breaks and loses its newest changes. */
    public void loseChanges() {
        any().cache().loseChanges(random);
    }

    private Watch<?> any() {
        return watches.get(random.nextInt(watches.size()));
    }

    private void tellSome() {
        for (Watch<?> watch : watches) {
            if (random.nextInt(4) > 0) {
                watch.handler().tellAll();
            }
        }
    }

    /** Every watch but that of this cache lists again. */
    public void relistOthers(LaggingCache<?> behind) {
        watches.stream()
                .filter(watch -> watch.cache() != behind)
                .forEach(watch -> watch.cache().relist());
    }

    /** Every watch lists again. */
    public void relistAll() {
        watches.forEach(watch -> watch.cache().relist());
    }

    /** Delivers everything that is due; returns whether there was something. */
    public boolean deliverAll() {
        boolean delivered = false;
        for (Watch<?> watch : watches) {
            delivered |= watch.cache().deliver();
            delivered |= watch.handler().tellAll();
        }
        return delivered;
    }

    /** Takes a key from the queue and syncs it; returns what came of it, or an empty text if no key was due. */
    public String processNextWorkItem(Consumer<ObjectName> sync) {
        beforeWork.run();
        return queue.process(sync);
    }
}
