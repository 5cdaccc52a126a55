/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.discovery.ServedResources;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a deleted VolumeAttributesClass while a volume or a claim names it (upstream: {@code
 * vacprotection.Controller}). The class has the finalizer {@link #FINALIZER} for as long. As upstream, only the caches
 * decide.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class AttributesClassProtectionController implements SingleLoopController {

    // Threads: the handlers run on the threads of three informers, syncs on the loop's workers. They share the queue.

    /** The finalizer. */
    public static final String FINALIZER = "kubernetes.io/vac-protection";

    private static final ResourceType<GenericObject> CLASSES = ResourceTypes.generic(
            "storage.k8s.io", "v1", "volumeattributesclasses", "VolumeAttributesClass", ResourceType.Scope.CLUSTER);

    private static final String NAME = "vacprotection";
    private static final String ACCOUNT = "volumeattributesclass-protection-controller";
    private static final String INDEX = "volumeAttributesClassName";

    private final ControllerLoop<ObjectName> loop;

    private AttributesClassProtectionController(ControllerContext context) {
        SharedInformer<GenericObject> classes = context.informers().informer(CLASSES);
        SharedInformer<GenericObject> volumes = context.informers().informer(ResourceTypes.PERSISTENT_VOLUMES);
        SharedInformer<PersistentVolumeClaim> claims =
                context.informers().informer(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        volumes.addIndexers(Map.of(INDEX, AttributesClassProtectionController::classesOfVolume));
        claims.addIndexers(Map.of(INDEX, AttributesClassProtectionController::classesOfClaim));
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(NAME));
        ProtectedObjects<GenericObject> protectedClasses = new ProtectedObjects<>(
                classes.lister(),
                context.clients().apply(ACCOUNT).resource(CLASSES),
                new Protection(FINALIZER),
                ACCOUNT);
        Consumer<String> released = name -> queue.add(new ObjectName("", name));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                key -> protectedClasses.sync(
                        key,
                        each -> !volumes.byIndex(INDEX, key.name()).isEmpty()
                                || !claims.byIndex(INDEX, key.name()).isEmpty()),
                List.of(
                        classes.addHandler(protectedClasses.handler(queue::add)),
                        volumes.addHandler(new Users<>(AttributesClassProtectionController::classesOfVolume, released)),
                        claims.addHandler(new Users<>(AttributesClassProtectionController::classesOfClaim, released))),
                context.threads());
    }

    /** Creates the controller ({@code vacprotection}), registered with its informers and not started. */
    public static AttributesClassProtectionController of(ControllerContext context) {
        return new AttributesClassProtectionController(context);
    }

    /**
     * Creates the controller as {@link #of} does, if the server has its resource. Blocks for a request.
     *
     * @return null if the server is older than Kubernetes 1.34
     */
    public static @Nullable AttributesClassProtectionController ifServed(ControllerContext context) {
        return ServedResources.isServed(context.clients().apply(ACCOUNT).transport(), CLASSES) ? of(context) : null;
    }

    private static List<String> classesOfVolume(GenericObject volume) {
        String name = volume.string("spec", INDEX);
        return name.isEmpty() ? List.of() : List.of(name);
    }

    /** A claim names the class that it wants, that it has, and that it is being changed to. */
    static List<String> classesOfClaim(PersistentVolumeClaim claim) {
        JsonObject content = JsonObject.of(claim.unknownFields());
        return Stream.of(
                        content.string("spec", INDEX),
                        content.string("status", "currentVolumeAttributesClassName"),
                        content.string("status", "modifyVolumeStatus", "targetVolumeAttributesClassName"))
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /**
     * Passes on the classes that objects no longer name.
     *
     * @param names returns the classes that an object names
     * @param released receives them
     * @param <T> the type of the objects
     */
    private record Users<T extends KubeObject>(Function<T, List<String>> names, Consumer<String> released)
            implements ResourceEventHandler<T> {

        @Override
        public void onUpdate(T old, T current) {
            List<String> gone = new ArrayList<>(names.apply(old));
            gone.removeAll(names.apply(current));
            gone.forEach(released);
        }

        @Override
        public void onDelete(DeletedObject<T> deleted) {
            T last = deleted.lastKnown();
            if (last != null) {
                names.apply(last).forEach(released);
            }
        }

        @Override
        public String handlerName() {
            return ACCOUNT;
        }
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
