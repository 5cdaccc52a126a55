/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;

/**
 * Rolls out Deployments: it keeps one ReplicaSet for each pod template, and moves pods from the old ones to the one of
 * the current template (upstream: {@code DeploymentController}).
 *
 * <p>Promised: during a rolling update its own writes never ask for more pods than {@code replicas} and {@code
 * maxSurge} allow, and never take away available pods beyond {@code maxUnavailable}. It adopts and releases ReplicaSets
 * only by their controller reference.
 *
 * <p>Thread-safe. {@link #syncDeployment}, {@link #awaitTermination} and {@link #close} block.
 */
public final class DeploymentController implements SingleLoopController {

    // Threads: handlers run on the informers' threads, syncs on the loop's workers. They share the queue and the
    // barrier, which are thread-safe.

    private static final String NAME = "deployment";
    private static final String COMPONENT = "deployment-controller";

    private final ControllerLoop<ObjectName> loop;
    private final DeploymentSync sync;

    private DeploymentController(ControllerContext context) {
        KubeClient client = context.clients().apply(COMPONENT);
        SharedInformer<Deployment> deployments = context.informers().informer(ResourceTypes.DEPLOYMENTS);
        SharedInformer<ReplicaSet> sets = context.informers().informer(ResourceTypes.REPLICA_SETS);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        WorkQueueConfig queueConfig = context.queues().apply(NAME);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting(queueConfig);
        EventRecorder events = context.recorders().apply(COMPONENT);
        WriteBarrier barrier =
                new WriteBarrier(ControllerTime.steady(queueConfig.scheduler()), queue::add, resource -> {});
        DeploymentWrites writes = new DeploymentWrites(
                client,
                barrier.owners(ResourceTypes.DEPLOYMENTS, client, deployments),
                barrier.children(ResourceTypes.REPLICA_SETS, client.resource(ResourceTypes.REPLICA_SETS), sets));
        sync = new DeploymentSync(
                deployments.lister(),
                new ReplicaSetClaims(client, ChildIndex.of(sets), pods.lister(), writes),
                writes,
                events,
                queue,
                context.clock());
        DeploymentHandlers handlers = new DeploymentHandlers(deployments.lister(), sets.lister(), pods.lister(), queue);
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncDeployment,
                List.of(
                        deployments.addHandler(ResourceEventHandler.forKeys(NAME, queue::add)),
                        sets.addHandler(handlers.ofSets()),
                        pods.addHandler(handlers.ofPods())),
                context.threads());
    }

    /** Creates the controller ({@code deployment}), registered with its informers and not started. */
    public static DeploymentController of(ControllerContext context) {
        return new DeploymentController(context);
    }

    /**
     * Syncs one deployment once. For workers and tests; two threads must not sync the same key at a time. Blocks until
     * every write has its response.
     *
     * @throws RuntimeException the first failure; a later try may succeed
     */
    public void syncDeployment(ObjectName key) {
        sync.syncDeployment(key);
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
