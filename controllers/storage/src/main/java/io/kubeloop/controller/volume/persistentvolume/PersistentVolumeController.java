/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Binds claims to volumes, hands claims without a volume to external provisioners, and reclaims released volumes
 * (upstream: {@code persistentvolume.PersistentVolumeController}). A volume that appears does not wake the claims that
 * could use it: all claims and volumes are synced again in each period.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class PersistentVolumeController implements SingleLoopController {

    private static final String NAME = "persistentvolume-binder-controller";
    private static final String ACCOUNT = "persistent-volume-binder";
    private static final String COMPONENT = "persistentvolume-controller";
    private static final Item ALL = new Item(Kind.ALL, new ObjectName("", ""));

    private enum Kind {
        CLAIM,
        VOLUME,
        ALL
    }

    /**
     * What the worker syncs.
     *
     * @param kind a claim, a volume, or all of both
     * @param name its name
     */
    private record Item(Kind kind, ObjectName name) {}

    private final SharedInformer<PersistentVolumeClaim> claims;
    private final SharedInformer<GenericObject> volumes;
    private final RateLimitingQueue<Item> queue;
    private final Binding binding;
    private final ClaimSync claimSync;
    private final VolumeSync volumeSync;
    private final Duration period;

    /** The items whose sync was put off until the caches show the last writes. */
    private final Set<Item> late = ConcurrentHashMap.newKeySet();

    private final ControllerLoop<Item> loop;

    private PersistentVolumeController(ControllerContext context, PersistentVolumeConfig settings) {
        period = settings.syncPeriod();
        KubeClient client = context.clients().apply(ACCOUNT);
        claims = context.informers().informer(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        volumes = context.informers().informer(ResourceTypes.PERSISTENT_VOLUMES);
        SharedInformer<GenericObject> classes = context.informers().informer(StorageClasses.TYPE);
        SharedInformer<Pod> pods = context.informers().informer(ResourceTypes.PODS);
        WorkQueueConfig config = context.queues().apply("volumes");
        queue = WorkQueues.rateLimiting(config);
        binding = new Binding(
                claims.lister(),
                volumes.lister(),
                client,
                context.recorders().apply(COMPONENT),
                new WriteBarrier(ControllerTime.steady(config.scheduler()), worker -> resume())
                        .follow(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claims)
                        .follow(ResourceTypes.PERSISTENT_VOLUMES, volumes)
                        .follow(ResourceTypes.PODS, pods));
        StorageClasses storageClasses = new StorageClasses(classes.lister());
        claimSync = new ClaimSync(
                binding,
                storageClasses,
                new Provisioning(binding, storageClasses, settings.dynamicProvisioning()),
                pods.lister(),
                context.metrics());
        context.metrics().present(ClaimSync.ASSIGNMENTS);
        context.metrics().present(ClaimSync.FAILED_ASSIGNMENTS);
        Recycler recycler = new Recycler(
                binding,
                pods.lister(),
                client.resource(Recycler.PODS),
                settings.recyclers(),
                ControllerTime.steady(config.scheduler()));
        volumeSync =
                new VolumeSync(binding, new Reclaim(binding, recycler), name -> queue.add(new Item(Kind.CLAIM, name)));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(
                        volumes.addHandler(handler(Kind.VOLUME, context.metrics())),
                        claims.addHandler(handler(Kind.CLAIM, context.metrics())),
                        pods.addHandler(ResourceEventHandler.forKeys(this::recyclerChanged))),
                List.of(classes),
                context.threads());
    }

    /**
     * Creates the controller ({@code persistentvolume-binder-controller}), registered with its informers and not
     * started.
     */
    public static PersistentVolumeController of(ControllerContext context, PersistentVolumeConfig settings) {
        return new PersistentVolumeController(context, settings);
    }

    /** A deleted claim wakes its volume, and a deleted volume its claim. */
    private <T extends KubeObject> ResourceEventHandler<T> handler(Kind kind, ControllerMetrics metrics) {
        BoundCounts counts = new BoundCounts(metrics);
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object, boolean isInInitialList) {
                counts.put(object);
                queue.add(new Item(kind, object.objectName()));
            }

            @Override
            public void onUpdate(T old, T current) {
                counts.put(current);
                queue.add(new Item(kind, current.objectName()));
            }

            @Override
            public void onDelete(DeletedObject<T> deleted) {
                T last = deleted.lastKnown();
                counts.remove(deleted.name());
                if (last instanceof PersistentVolumeClaim claim) {
                    String volume = Claim.of(claim).volumeName();
                    if (!volume.isEmpty()) {
                        queue.add(new Item(Kind.VOLUME, new ObjectName("", volume)));
                    }
                } else if (last instanceof GenericObject volume
                        && Volume.of(volume).hasClaim()) {
                    queue.add(new Item(Kind.CLAIM, Volume.of(volume).claimName()));
                }
            }

            @Override
            public String handlerName() {
                return COMPONENT;
            }
        };
    }

    private void recyclerChanged(ObjectName pod) {
        if (pod.name().startsWith(Recycler.PREFIX)) {
            queue.add(new Item(Kind.VOLUME, new ObjectName("", pod.name().substring(Recycler.PREFIX.length()))));
        }
    }

    private void sync(Item item) {
        late.add(item); // before the comparison: resume may run right after it
        if (binding.isBehind()) {
            return;
        }
        late.remove(item);
        switch (item.kind()) {
            case CLAIM -> claimSync.sync(item.name());
            case VOLUME -> volumeSync.sync(item.name().name());
            case ALL -> {
                volumes.lister().list().forEach(volume -> queue.add(new Item(Kind.VOLUME, volume.objectName())));
                claims.lister().list().forEach(claim -> queue.add(new Item(Kind.CLAIM, claim.objectName())));
                queue.addAfter(ALL, period);
            }
        }
    }

    /** Queues the items that were put off. Called by the thread that fills a cache. */
    private void resume() {
        late.forEach(item -> {
            if (late.remove(item)) {
                queue.add(item);
            }
        });
    }

    /** Starts one worker, whatever the number: claims and volumes are handled one after the other. */
    @Override
    public void start(int workers) {
        loop.start(1);
        queue.addAfter(ALL, period);
    }

    @Override
    public ControllerLoop<?> loop() {
        return loop;
    }
}
