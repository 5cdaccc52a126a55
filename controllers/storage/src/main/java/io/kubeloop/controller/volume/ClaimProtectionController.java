/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.volumes.PodVolumes;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Keeps a deleted PersistentVolumeClaim until no pod with a node uses it (upstream: {@code pvcprotection.Controller}).
 * The claim has the finalizer {@link #FINALIZER} for as long. The condition {@code Unused} of a bound claim tells since
 * when no pod names it.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class ClaimProtectionController implements SingleLoopController {

    // Threads: the handlers run on the threads of two informers, syncs on the loop's workers. They share `sync`,
    // which is thread-safe.

    /** The finalizer. */
    public static final String FINALIZER = "kubernetes.io/pvc-protection";

    private static final String NAME = "pvcprotection";
    private static final String ACCOUNT = "pvc-protection-controller";

    private final ControllerLoop<String> loop;

    private ClaimProtectionController(ControllerContext context) {
        SharedInformer<PersistentVolumeClaim> claims =
                context.informers().informer(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        RateLimitingQueue<String> queue =
                WorkQueues.rateLimiting(context.queues().apply(NAME));
        KubeClient client = context.clients().apply(ACCOUNT);
        Sync sync = new Sync(
                new ProtectedObjects<>(
                        claims.lister(),
                        client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS),
                        new Protection(FINALIZER),
                        ACCOUNT),
                new UnusedCondition(client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS), context.clock()),
                PodVolumes.byClaim(pods),
                client.resource(ResourceTypes.PODS),
                new ClaimsByNamespace(queue::add));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                sync::syncNamespace,
                List.of(claims.addHandler(sync.claimHandler()), pods.addHandler(sync.podHandler())),
                context.threads());
    }

    /** Creates the controller ({@code pvcprotection}), registered with its informers and not started. */
    public static ClaimProtectionController of(ControllerContext context) {
        return new ClaimProtectionController(context);
    }

    @Override
    public ControllerLoop<String> loop() {
        return loop;
    }

    /**
     * Handles events and syncs claims. All claims of a namespace that wait are handled in one sync, so one list of
     * its pods serves them all. Thread-safe.
     *
     * @param claims the claims
     * @param unused writes the condition of claims that no pod names
     * @param users returns the cached pods whose volumes name a claim
     * @param pods lists pods that the cache may not contain yet
     * @param waiting the claims to sync
     */
    record Sync(
            ProtectedObjects<PersistentVolumeClaim> claims,
            UnusedCondition unused,
            Function<ObjectName, List<Pod>> users,
            ResourceClient<Pod> pods,
            ClaimsByNamespace waiting) {

        ResourceEventHandler<PersistentVolumeClaim> claimHandler() {
            return claims.handler(UnusedCondition::isMissing, waiting::add);
        }

        ResourceEventHandler<Pod> podHandler() {
            return ResourceEventHandler.forObjects(
                    ACCOUNT, pod -> UsedClaims.of(pod).forEach(waiting::add));
        }

        void syncNamespace(String namespace) {
            LivePods live = new LivePods(pods, namespace);
            waiting.takeEach(namespace, name -> {
                ObjectName key = new ObjectName(namespace, name);
                PersistentVolumeClaim cached = claims.objects().get(key);
                if (cached != null && UnusedCondition.appliesTo(cached)) {
                    unused.update(cached, isUsed(cached, live, UsedClaims::references));
                }
                claims.sync(key, claim -> isUsed(claim, live, UsedClaims::uses));
            });
        }

        /** The cache may lack a new pod, so only a list of the server shows that there is none. */
        private boolean isUsed(
                PersistentVolumeClaim claim, LivePods live, BiPredicate<Pod, PersistentVolumeClaim> uses) {
            return users.apply(claim.objectName()).stream().anyMatch(pod -> uses.test(pod, claim))
                    || live.get().stream().anyMatch(pod -> uses.test(pod, claim));
        }
    }

    /** The pods of a namespace, listed at the first use. Confined to one sync. */
    private static final class LivePods {

        private final ResourceClient<Pod> client;
        private final String namespace;
        private List<Pod> listed = List.of();
        private boolean isListed;

        LivePods(ResourceClient<Pod> client, String namespace) {
            this.client = client;
            this.namespace = namespace;
        }

        List<Pod> get() {
            if (!isListed) {
                listed = client.list(namespace, ListOptions.NONE).items();
                isListed = true;
            }
            return listed;
        }
    }
}
