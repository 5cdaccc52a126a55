/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.ChildEvents;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.history.RevisionHistory;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import java.time.Clock;
import java.util.function.Consumer;

/** The controller of StatefulSets in a simulated process, and its caches. */
final class StatefulWiring {

    final LaggingCache<StatefulSet> sets = new LaggingCache<>();
    final LaggingCache<Pod> pods = new LaggingCache<>();
    final LaggingCache<PersistentVolumeClaim> claims = new LaggingCache<>();
    final StatefulSetSync sync;

    /**
     * Adds all caches to the process.
     *
     * @param stale receives the resource of each sync that is put off
     */
    StatefulWiring(SimulatedProcess process, Clock clock, Consumer<ResourceType<?>> stale) {
        KubeClient client = process.client();
        LaggingCache<ControllerRevision> revisions = new LaggingCache<>();
        FakeRecorder events = new FakeRecorder();
        WriteBarrier barrier = new WriteBarrier(clock, process.queue::add, stale)
                .follow(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claims);
        ChildWrites<Pod> podWrites =
                barrier.children(ResourceTypes.PODS, client.resource(ResourceTypes.PODS), pods, pods);
        RevisionHistory<StatefulSet> history = new RevisionHistory<>(
                ResourceTypes.STATEFUL_SETS,
                client,
                revisions.children(),
                barrier.children(
                        ResourceTypes.CONTROLLER_REVISIONS,
                        client.resource(ResourceTypes.CONTROLLER_REVISIONS),
                        revisions,
                        revisions));
        sync = new StatefulSetSync(
                sets,
                barrier.owners(ResourceTypes.STATEFUL_SETS, client, sets),
                new PodClaimant(client, pods.children(), podWrites),
                history,
                new StatefulPodControl(
                        client.resource(ResourceTypes.PODS),
                        podWrites,
                        new VolumeClaims(
                                client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS), claims, events, barrier),
                        events,
                        Runnable::run,
                        ControllerMetrics.NONE),
                process.queue,
                clock);
        process.owners(ResourceTypes.STATEFUL_SETS, sets);
        process.cache(
                ResourceTypes.PODS,
                pods,
                new ChildEvents<>(
                        ResourceTypes.STATEFUL_SETS,
                        sets,
                        set -> set.spec().selector(),
                        process.queue,
                        sync::podUpdated));
        process.cache(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claims, new ResourceEventHandler<>() {});
        process.cache(
                ResourceTypes.CONTROLLER_REVISIONS,
                revisions,
                new ChildEvents<>(
                        ResourceTypes.STATEFUL_SETS,
                        sets,
                        set -> set.spec().selector(),
                        process.queue,
                        (owner, old, current) -> {}));
    }
}
