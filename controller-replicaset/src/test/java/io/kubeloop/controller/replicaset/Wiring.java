/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.CacheProgress;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.expectations.ControllerExpectations;
import io.kubeloop.controller.expectations.UidTrackingControllerExpectations;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.pods.PodCache;
import io.kubeloop.controller.pods.PodControl;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;

/** The controller's parts over caches of tests, without threads. */
record Wiring<T extends KubeObject>(
        UidTrackingControllerExpectations expectations, ReplicaSetHandlers<T> handlers, ReplicaSetSync<T> sync) {

    /** The settings of a controller under test. */
    record Settings(int burstReplicas, Duration statusInterval, Consumer<ResourceType<?>> stale) {}

    static <T extends KubeObject, O extends Lister<T> & CacheProgress, P extends Lister<Pod> & CacheProgress>
            Wiring<T> of(
                    ReplicaKind<T> kind,
                    O owners,
                    P pods,
                    KubeClient client,
                    FakeRecorder recorder,
                    DelayingQueue<ObjectName> queue,
                    Clock clock,
                    Settings settings) {
        ReplicaSetSync.Caches<T> caches = new ReplicaSetSync.Caches<>(kind, owners, PodCache.of(pods));
        UidTrackingControllerExpectations expectations =
                new UidTrackingControllerExpectations(new ControllerExpectations(clock));
        PerOwnerThrottle createFailures = new PerOwnerThrottle(settings.statusInterval(), clock);
        WriteBarrier barrier = new WriteBarrier(clock, queue::add, settings.stale());
        OwnedPods<T> owned = new OwnedPods<>(
                caches,
                client,
                new PodControl(client, recorder),
                barrier.children(ResourceTypes.PODS, client.resource(ResourceTypes.PODS), pods, pods));
        ReplicaManager<T> manager = new ReplicaManager<>(
                caches,
                owned,
                expectations,
                createFailures,
                new DeletionOrder<>(caches, ControllerMetrics.NONE, clock),
                Runnable::run,
                settings.burstReplicas());
        StatusWriter<T> status =
                new StatusWriter<>(kind, barrier.owners(kind.type(), client, owners), settings.statusInterval(), clock);
        return new Wiring<>(
                expectations,
                new ReplicaSetHandlers<>(caches, expectations, createFailures, queue),
                new ReplicaSetSync<>(caches, barrier, owned, manager, status, queue, clock));
    }
}
