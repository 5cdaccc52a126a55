/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourceclaim;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.discovery.ServedResources;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Manages the ResourceClaims of pods (upstream: {@code resourceclaim.Controller}). It creates a claim for each template
 * that a pod names, reserves allocated claims for pods that bypass the scheduler, and releases claims that no pod needs
 * any more.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class ResourceClaimController implements SingleLoopController {

    // Threads: the handlers run on the threads of three informers, syncs on the loop's workers. They share the queue
    // and the barrier of writes, which are thread-safe.

    private static final String NAME = "resource_claim";
    private static final String ACCOUNT = "resource-claim-controller";
    private static final String BY_CLAIM = "pods-by-resource-claim";
    private static final String BY_TEMPLATE = "pods-by-resource-claim-template";
    private static final String BY_OWNER = "resource-claims-by-pod-uid";

    private final SharedInformer<Pod> podInformer;
    private final SharedInformer<GenericObject> claimInformer;
    private final Lister<Pod> pods;
    private final Lister<GenericObject> claims;
    private final RateLimitingQueue<Item> queue;
    private final WriteBarrier barrier;
    private final ClaimMetrics metrics;
    private final PodClaimSync podClaims;
    private final ClaimRelease release;
    private final ControllerLoop<Item> loop;

    /**
     * The unit of work.
     *
     * @param isPod whether the name is a pod's; otherwise it is a claim's
     * @param name the object
     */
    private record Item(boolean isPod, ObjectName name) {}

    private ResourceClaimController(ControllerContext context) {
        podInformer = context.informers().informer(ResourceTypes.PODS);
        claimInformer = context.informers().informer(ClaimReading.CLAIMS);
        SharedInformer<GenericObject> templateInformer = context.informers().informer(ClaimReading.TEMPLATES);
        pods = podInformer.lister();
        claims = claimInformer.lister();
        podInformer.addIndexers(Map.of(
                BY_CLAIM, pod -> strings(ClaimReading.names(pod)),
                BY_TEMPLATE, pod -> strings(ClaimReading.templates(pod))));
        claimInformer.addIndexers(Map.of(BY_OWNER, claim -> {
            OwnerReference owner = ClaimReading.owner(claim);
            return owner == null ? List.of() : List.of(owner.uid());
        }));
        WorkQueueConfig config = context.queues().apply(NAME);
        queue = WorkQueues.rateLimiting(config);
        KubeClient client = context.clients().apply(ACCOUNT);
        barrier = new WriteBarrier(ControllerTime.steady(config.scheduler()), pod -> queue.add(new Item(true, pod)))
                .follow(ResourceTypes.PODS, podInformer);
        metrics = new ClaimMetrics(context.metrics());
        podClaims = new PodClaimSync(
                claims,
                templateInformer.lister(),
                uid -> claimInformer.byIndex(BY_OWNER, uid),
                barrier.children(ClaimReading.CLAIMS, client.resource(ClaimReading.CLAIMS), claimInformer),
                barrier,
                client,
                context.recorders().apply(NAME),
                metrics);
        release = new ClaimRelease(pods, client.resource(ResourceTypes.PODS), client.resource(ClaimReading.CLAIMS));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(
                        podInformer.addHandler(new PodHandler()),
                        claimInformer.addHandler(new ClaimHandler()),
                        templateInformer.addHandler(
                                ResourceEventHandler.forKeys(ACCOUNT, template -> addPods(BY_TEMPLATE, template)))),
                context.threads());
    }

    /** Creates the controller ({@code resourceclaim-controller}), registered with its informers and not started. */
    public static ResourceClaimController of(ControllerContext context) {
        return new ResourceClaimController(context);
    }

    /**
     * Creates the controller as {@link #of} does, if the server has its resource. Blocks for a request.
     *
     * @return null if the server is older than Kubernetes 1.34
     */
    public static @Nullable ResourceClaimController ifServed(ControllerContext context) {
        return ServedResources.isServed(context.clients().apply(ACCOUNT).transport(), ClaimReading.CLAIMS)
                ? of(context)
                : null;
    }

    private static List<String> strings(List<ObjectName> names) {
        return names.stream().map(ObjectName::toString).toList();
    }

    private void addPods(String index, ObjectName value) {
        podInformer.byIndex(index, value.toString()).forEach(pod -> queue.add(new Item(true, pod.objectName())));
    }

    /** A pod that needs its claims is synced; otherwise its claims are. */
    private final class PodHandler implements ResourceEventHandler<Pod> {

        @Override
        public void onAdd(Pod pod, boolean isInInitialList) {
            if (ClaimReading.isDone(pod)) {
                addClaims(pod);
            } else if (!pod.metadata().isDeleting()
                    && !ClaimReading.entries(pod).isEmpty()) {
                queue.add(new Item(true, pod.objectName()));
            }
        }

        @Override
        public void onUpdate(Pod old, Pod current) {
            if (!old.metadata().uid().equals(current.metadata().uid())) {
                addClaims(old);
            }
            onAdd(current, false);
        }

        @Override
        public void onDelete(DeletedObject<Pod> deleted) {
            queue.add(new Item(true, deleted.name())); // its sync drops the records of the pod
            Pod last = deleted.lastKnown();
            if (last != null) {
                addClaims(last);
            }
        }

        private void addClaims(Pod pod) {
            ClaimReading.names(pod).forEach(claim -> queue.add(new Item(false, claim)));
            claimInformer
                    .byIndex(BY_OWNER, pod.metadata().uid())
                    .forEach(claim -> queue.add(new Item(false, claim.objectName())));
        }

        @Override
        public String handlerName() {
            return ACCOUNT;
        }
    }

    /** A claim is synced with the pods that wait for it. */
    private final class ClaimHandler implements ResourceEventHandler<GenericObject> {

        @Override
        public void onAdd(GenericObject claim, boolean isInInitialList) {
            metrics.state(claim.objectName(), claim);
            queue.add(new Item(false, claim.objectName()));
            addPods(BY_CLAIM, claim.objectName());
        }

        @Override
        public void onUpdate(GenericObject old, GenericObject current) {
            metrics.state(current.objectName(), current);
            queue.add(new Item(false, current.objectName()));
            addPods(BY_CLAIM, current.objectName());
        }

        @Override
        public void onDelete(DeletedObject<GenericObject> deleted) {
            metrics.state(deleted.name(), null);
            addPods(BY_CLAIM, deleted.name());
        }

        @Override
        public String handlerName() {
            return ACCOUNT;
        }
    }

    private void sync(Item item) {
        if (!item.isPod()) {
            GenericObject claim = claims.get(item.name());
            if (claim != null) {
                release.sync(claim);
            }
            return;
        }
        if (barrier.isBehind(item.name())) {
            return;
        }
        Pod pod = pods.get(item.name());
        if (pod == null) {
            barrier.forget(item.name());
        }
        // A finished pod that still exists must not be reserved: the release would remove the reservation again.
        if (pod != null && !pod.metadata().isDeleting() && !ClaimReading.isDone(pod)) {
            podClaims.sync(pod);
        }
    }

    @Override
    public ControllerLoop<?> loop() {
        return loop;
    }
}
