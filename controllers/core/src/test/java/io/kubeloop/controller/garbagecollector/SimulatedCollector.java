/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.leaderelection.FencedTransport;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.LateHandler;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.controller.simulation.UnreliableNetwork;
import io.kubeloop.json.JsonCodec;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** One process that runs the garbage collector, for one thread: its caches lag and its network fails. */
final class SimulatedCollector {

    /** The cache of one resource, and its handler. */
    record Monitor(
            ResourceType<PartialObjectMetadata> type,
            LaggingCache<PartialObjectMetadata> cache,
            LateHandler<PartialObjectMetadata> events) {}

    final List<Monitor> monitors = new ArrayList<>();
    final UnreliableNetwork network;
    private final SimulatedQueue<String> toCheck;
    private final SimulatedQueue<String> toOrphan;
    private final DeletionAttempts attempts;
    private final Orphaning orphans;

    SimulatedCollector(
            Transport server,
            ApiCatalog catalog,
            Clock clock,
            Random random,
            Predicate<SimulatedCollector> isLeading,
            Consumer<ApiRequest> beforeWrite,
            Consumer<ApiRequest> afterWrite) {
        BooleanSupplier leading = () -> isLeading.test(this);
        network = new UnreliableNetwork(new FencedTransport(server, leading), random, beforeWrite, afterWrite);
        KubeClient client = KubeClient.of(new FencedTransport(network, leading), JsonCodec.standard());
        toCheck = new SimulatedQueue<>(clock);
        toOrphan = new SimulatedQueue<>(clock);
        OwnerGraph graph = new OwnerGraph();
        AbsentOwners absentOwners = new AbsentOwners();
        GraphEffects.Work work = new GraphEffects.Work(absentOwners, toCheck, toOrphan, new FakeRecorder());
        CollectorRequests requests = new CollectorRequests(client, catalog::ofKind);
        attempts = new DeletionAttempts(graph, requests, absentOwners, work::carryOut);
        orphans = new Orphaning(graph, requests, Runnable::run);
        GraphHandlers handlers = new GraphHandlers(graph, work);
        for (ResourceType<PartialObjectMetadata> type : CollectorSimulation.TYPES) {
            monitors.add(new Monitor(type, new LaggingCache<>(), new LateHandler<>(handlers.of(type, () -> {}))));
        }
    }

    /** Fills the caches, as a new leader does; its handlers receive the initial lists before it works. */
    void start(Function<ResourceType<PartialObjectMetadata>, List<PartialObjectMetadata>> lists) {
        for (Monitor monitor : monitors) {
            monitor.cache().start(lists.apply(monitor.type()), monitor.events());
            monitor.events().tellAll();
        }
    }

    /** Takes a key from one queue and syncs it; returns what came of it, or an empty text if no key was due. */
    String processNextWorkItem(boolean orphansFirst) {
        String outcome = orphansFirst ? process(toOrphan, orphans::orphan) : process(toCheck, attempts::check);
        return !outcome.isEmpty()
                ? outcome
                : orphansFirst ? process(toCheck, attempts::check) : process(toOrphan, orphans::orphan);
    }

    private interface Sync {
        void sync(String uid) throws InterruptedException;
    }

    private static String process(SimulatedQueue<String> queue, Sync sync) {
        String uid = queue.get();
        if (uid == null) {
            return "";
        }
        try {
            sync.sync(uid);
            queue.forget(uid);
            return "checked " + uid;
        } catch (IncompleteSyncException e) {
            queue.addRateLimited(uid);
            return "later: " + e.getMessage();
        } catch (RuntimeException e) {
            queue.addRateLimited(uid);
            return "failed: " + e.getMessage();
        } catch (InterruptedException e) {
            throw new AssertionError("nothing interrupts the simulation", e);
        } finally {
            queue.done(uid);
        }
    }
}
