/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.ephemeral;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.volumes.PodVolumes;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.function.Function;

/**
 * Creates a PersistentVolumeClaim for each ephemeral volume of a pod (upstream: {@code ephemeral.ephemeralController}).
 * The claim has the name of the pod and of the volume, and the pod as its owner, so the garbage collector deletes
 * it with the pod. A claim that is deleted while the pod lives is created again.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class EphemeralVolumeController implements SingleLoopController {

    private static final String NAME = "ephemeral_volume";
    private static final String ACCOUNT = "ephemeral-volume-controller";

    private static final ControllerMetric CREATIONS = ControllerMetric.counter(
            "ephemeral_volume_controller_create_total", "Attempts to create a claim for an ephemeral volume");
    private static final ControllerMetric FAILURES = ControllerMetric.counter(
            "ephemeral_volume_controller_create_failures_total", "Failed attempts to create a claim");

    private final Lister<Pod> pods;
    private final Lister<PersistentVolumeClaim> claims;
    private final ResourceClient<PersistentVolumeClaim> client;
    private final EventRecorder events;
    private final ControllerMetrics metrics;
    private final ControllerLoop<ObjectName> loop;

    private EphemeralVolumeController(ControllerContext context) {
        SharedInformer<Pod> podInformer = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<PersistentVolumeClaim> claimInformer =
                context.informers().informer(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        pods = podInformer.lister();
        claims = claimInformer.lister();
        client = context.clients().apply(ACCOUNT).resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        events = context.recorders().apply(NAME);
        metrics = context.metrics();
        metrics.present(CREATIONS);
        metrics.present(FAILURES);
        Function<ObjectName, List<Pod>> podsByClaim = PodVolumes.byClaim(podInformer);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(NAME));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(
                        podInformer.addHandler(podHandler(queue)),
                        claimInformer.addHandler(claimHandler(podsByClaim, queue))),
                context.threads());
    }

    /** Creates the controller ({@code ephemeral-volume-controller}), registered with its informers and not started. */
    public static EphemeralVolumeController of(ControllerContext context) {
        return new EphemeralVolumeController(context);
    }

    /** The volumes of a pod do not change, so only new pods matter. */
    private static ResourceEventHandler<Pod> podHandler(RateLimitingQueue<ObjectName> queue) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod, boolean isInInitialList) {
                if (!pod.metadata().isDeleting() && !ephemeral(pod).isEmpty()) {
                    queue.add(pod.objectName());
                }
            }

            @Override
            public String handlerName() {
                return ACCOUNT;
            }
        };
    }

    private static ResourceEventHandler<PersistentVolumeClaim> claimHandler(
            Function<ObjectName, List<Pod>> podsByClaim, RateLimitingQueue<ObjectName> queue) {
        return new ResourceEventHandler<>() {
            @Override
            public void onDelete(DeletedObject<PersistentVolumeClaim> deleted) {
                podsByClaim.apply(deleted.name()).forEach(pod -> queue.add(pod.objectName()));
            }

            @Override
            public String handlerName() {
                return ACCOUNT;
            }
        };
    }

    private static List<JsonObject> ephemeral(Pod pod) {
        return PodVolumes.of(pod).stream()
                .filter(volume -> volume.has("ephemeral"))
                .toList();
    }

    /** The volumes after one that fails wait for the next sync. */
    private void sync(ObjectName name) {
        Pod pod = pods.get(name);
        if (pod == null || pod.metadata().isDeleting()) {
            return;
        }
        for (JsonObject volume : ephemeral(pod)) {
            try {
                ensureClaim(pod, volume);
            } catch (RuntimeException e) {
                events.event(
                        ResourceTypes.PODS,
                        pod,
                        EventType.WARNING,
                        "FailedBinding",
                        "ephemeral volume " + volume.string("name") + ": " + Errors.text(e));
                throw e;
            }
        }
    }

    private void ensureClaim(Pod pod, JsonObject volume) {
        ObjectName name = PodVolumes.claim(pod, volume).orElseThrow();
        PersistentVolumeClaim present = claims.get(name);
        if (present == null) {
            create(pod, name, volume.object("ephemeral", "volumeClaimTemplate"));
            return;
        }
        if (!PodVolumes.isOwner(pod, present)) {
            throw new IllegalStateException(
                    "PVC " + name + " was not created for pod " + pod.objectName() + " (pod is not owner)");
        }
    }

    private void create(Pod pod, ObjectName name, JsonObject template) {
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .name(name.name())
                .namespace(name.namespace())
                .labels(template.object("metadata", "labels").strings())
                .annotations(template.object("metadata", "annotations").strings())
                .ownerReferences(List.of(ControllerRefs.newControllerRef(ResourceTypes.PODS, pod)))
                .build();
        JsonObject content = JsonObject.of("spec", template.object("spec"));
        metrics.record(CREATIONS, 1);
        try {
            client.create(new PersistentVolumeClaim(metadata, content.toUnknownFields()));
        } catch (RuntimeException e) {
            metrics.record(FAILURES, 1);
            throw new IllegalStateException("create PVC " + name.name() + ": " + Errors.text(e), e);
        }
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
