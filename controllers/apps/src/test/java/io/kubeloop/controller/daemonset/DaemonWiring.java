/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ChildEvents;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.history.RevisionHistory;
import io.kubeloop.controller.pods.PodControl;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import java.time.Clock;
import java.util.function.Consumer;

/** The controller of DaemonSets in a simulated process, and its caches. */
final class DaemonWiring {

    final LaggingCache<DaemonSet> sets = new LaggingCache<>();
    final LaggingCache<Node> nodes = new LaggingCache<>();
    final LaggingCache<Pod> pods = new LaggingCache<>();
    final DaemonSetSync.Caches caches = new DaemonSetSync.Caches(sets, nodes);
    final DaemonSetSync sync;

    /**
     * Adds the caches of sets, pods and revisions to the process.
     *
     * @param stale receives the resource of each sync that is put off
     */
    DaemonWiring(SimulatedProcess process, Clock clock, Consumer<ResourceType<?>> stale) {
        KubeClient client = process.client();
        LaggingCache<ControllerRevision> revisions = new LaggingCache<>();
        FakeRecorder events = new FakeRecorder();
        WriteBarrier barrier = new WriteBarrier(clock, process.queue::add, stale);
        WriteBarrier.Owners<DaemonSet> owners = barrier.owners(ResourceTypes.DAEMON_SETS, client, sets);
        DaemonPodControl control = new DaemonPodControl(
                client,
                pods.children(),
                barrier.children(ResourceTypes.PODS, client.resource(ResourceTypes.PODS), pods, pods),
                new PodControl(client, events),
                Runnable::run);
        RevisionHistory<DaemonSet> history = new RevisionHistory<>(
                ResourceTypes.DAEMON_SETS,
                client,
                revisions.children(),
                barrier.children(
                        ResourceTypes.CONTROLLER_REVISIONS,
                        client.resource(ResourceTypes.CONTROLLER_REVISIONS),
                        revisions,
                        revisions));
        sync = new DaemonSetSync(
                caches,
                owners,
                new DaemonHistory(history, owners, control),
                control,
                new NodePods(new FailedPodBackoff(clock), events),
                process.queue,
                clock);
        process.owners(ResourceTypes.DAEMON_SETS, sets);
        process.cache(
                ResourceTypes.PODS,
                pods,
                new ChildEvents<>(
                        ResourceTypes.DAEMON_SETS,
                        sets,
                        set -> set.spec().selector(),
                        process.queue,
                        sync::podUpdated));
        process.cache(
                ResourceTypes.CONTROLLER_REVISIONS,
                revisions,
                new ChildEvents<>(
                        ResourceTypes.DAEMON_SETS,
                        sets,
                        set -> set.spec().selector(),
                        process.queue,
                        (owner, old, current) -> {}));
    }
}
