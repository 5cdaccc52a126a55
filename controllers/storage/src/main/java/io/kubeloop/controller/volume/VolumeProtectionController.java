/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;

/**
 * Keeps a deleted PersistentVolume while its phase is {@code Bound} (upstream: {@code pvprotection.Controller}). The
 * volume has the finalizer {@link #FINALIZER} for as long.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class VolumeProtectionController implements SingleLoopController {

    // Threads: the handler runs on the informer's thread, syncs on the loop's workers. They share the queue.

    /** The finalizer. */
    public static final String FINALIZER = "kubernetes.io/pv-protection";

    /** PersistentVolumes, of which the controllers read few fields. */
    private static final String NAME = "pvprotection";

    private static final String ACCOUNT = "pv-protection-controller";

    private final ControllerLoop<ObjectName> loop;

    private VolumeProtectionController(ControllerContext context) {
        SharedInformer<GenericObject> volumes = context.informers().informer(ResourceTypes.PERSISTENT_VOLUMES);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(NAME));
        ProtectedObjects<GenericObject> protectedVolumes = new ProtectedObjects<>(
                volumes.lister(),
                context.clients().apply(ACCOUNT).resource(ResourceTypes.PERSISTENT_VOLUMES),
                new Protection(FINALIZER),
                ACCOUNT);
        loop = new ControllerLoop<>(
                NAME,
                queue,
                key -> protectedVolumes.sync(key, VolumeProtectionController::isBound),
                List.of(volumes.addHandler(protectedVolumes.handler(queue::add))),
                context.threads());
    }

    /** Creates the controller ({@code pvprotection}), registered with its informer and not started. */
    public static VolumeProtectionController of(ControllerContext context) {
        return new VolumeProtectionController(context);
    }

    private static boolean isBound(GenericObject volume) {
        return volume.string("status", "phase").equals("Bound");
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
