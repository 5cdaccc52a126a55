/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.SimulatedQueue;
import java.time.Clock;

/** The garbage collector in a simulated process. */
final class SimulatedCollector {

    private final SimulatedQueue<String> toCheck;
    private final SimulatedQueue<String> toOrphan;
    private final DeletionAttempts attempts;
    private final Orphaning orphans;

    SimulatedCollector(SimulatedProcess process, ApiCatalog catalog, Clock clock) {
        toCheck = new SimulatedQueue<>(clock);
        toOrphan = new SimulatedQueue<>(clock);
        OwnerGraph graph = new OwnerGraph();
        AbsentOwners absentOwners = new AbsentOwners();
        GraphEffects.Work work = new GraphEffects.Work(absentOwners, toCheck, toOrphan, new FakeRecorder());
        CollectorRequests requests = new CollectorRequests(process.client(), catalog::ofKind);
        attempts = new DeletionAttempts(graph, requests, absentOwners, work::carryOut);
        orphans = new Orphaning(graph, requests, Runnable::run);
        GraphHandlers handlers = new GraphHandlers(graph, work);
        for (ResourceType<PartialObjectMetadata> type : CollectorSimulation.TYPES) {
            process.cache(type, new LaggingCache<>(), handlers.of(type, () -> {}));
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
