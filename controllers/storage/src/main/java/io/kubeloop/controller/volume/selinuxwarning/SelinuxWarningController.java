/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.selinuxwarning;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.volume.selinuxwarning.SharedVolumes.Use;
import io.kubeloop.controller.volumes.CsiDrivers;
import io.kubeloop.controller.volumes.PodVolumes;
import io.kubeloop.controller.volumes.VolumeSpec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Warns of pods that share a volume and need different SELinux labels on it (upstream: {@code
 * selinuxwarning.Controller}). Once nodes mount volumes with the label of the pod, only one of two such pods can use
 * the volume on a node. All pods count, wherever they run. Both pods receive an event.
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class SelinuxWarningController implements SingleLoopController {

    private static final String NAME = "selinux-warning-controller";
    private static final String COMPONENT = "selinux_warning";
    private static final String MOUNT_OPTION = "MountOption";
    private static final String RECURSIVE = "Recursive";

    private final Lister<Pod> pods;
    private final Function<ObjectName, List<Pod>> podsByClaim;
    private final PodVolumes volumes;
    private final CsiDrivers drivers;
    private final SharedVolumes shared;
    private final EventRecorder events;
    private final ControllerLoop<ObjectName> loop;

    private SelinuxWarningController(ControllerContext context) {
        SharedInformer<Pod> podInformer = context.informers().informer(ResourceTypes.PODS);
        SharedInformer<PersistentVolumeClaim> claimInformer =
                context.informers().informer(ResourceTypes.PERSISTENT_VOLUME_CLAIMS);
        SharedInformer<GenericObject> volumeInformer = context.informers().informer(ResourceTypes.PERSISTENT_VOLUMES);
        SharedInformer<GenericObject> driverInformer = context.informers().informer(CsiDrivers.TYPE);
        pods = podInformer.lister();
        podsByClaim = PodVolumes.byClaim(podInformer);
        volumes = new PodVolumes(claimInformer.lister(), volumeInformer.lister());
        drivers = new CsiDrivers(driverInformer.lister());
        shared = new SharedVolumes(context.metrics());
        events = context.recorders().apply(COMPONENT);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(COMPONENT));
        Consumer<ObjectName> claims = claim -> podsByClaim.apply(claim).forEach(pod -> queue.add(pod.objectName()));
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::sync,
                List.of(
                        podInformer.addHandler(
                                ResourceEventHandler.forKeys(NAME, SelinuxWarningController::hasFinished, queue::add)),
                        claimInformer.addHandler(bindings(SelinuxWarningController::volumeOf, claims)),
                        volumeInformer.addHandler(bindings(SelinuxWarningController::claimOf, claims)),
                        driverInformer.addHandler(driverHandler(queue))),
                context.threads());
    }

    /** Creates the controller ({@code selinux-warning-controller}), registered with its informers and not started. */
    public static SelinuxWarningController of(ControllerContext context) {
        return new SelinuxWarningController(context);
    }

    /** The parts of a pod that matter do not change until it has finished. */
    private static boolean hasFinished(Pod old, Pod current) {
        return current.isFinished()
                && !old.status().phase().equals(current.status().phase());
    }

    /** The claim of an object, and what it is bound to. */
    private record Bound(ObjectName claim, String to) {}

    private static Optional<Bound> volumeOf(PersistentVolumeClaim claim) {
        String volume = JsonObject.of(claim.unknownFields()).string("spec", "volumeName");
        return volume.isEmpty() ? Optional.empty() : Optional.of(new Bound(claim.objectName(), volume));
    }

    private static Optional<Bound> claimOf(GenericObject volume) {
        String uid = volume.string("spec", "claimRef", "uid");
        ObjectName claim = new ObjectName(
                volume.string("spec", "claimRef", "namespace"), volume.string("spec", "claimRef", "name"));
        return uid.isEmpty() ? Optional.empty() : Optional.of(new Bound(claim, uid));
    }

    /** Returns a handler that passes on the claims whose binding is new. */
    private static <T> ResourceEventHandler<T> bindings(
            Function<T, Optional<Bound>> binding, Consumer<ObjectName> claims) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object, boolean isInInitialList) {
                binding.apply(object).ifPresent(bound -> claims.accept(bound.claim()));
            }

            @Override
            public void onUpdate(T old, T current) {
                Optional<Bound> before = binding.apply(old);
                binding.apply(current)
                        .filter(bound -> !bound.equals(before.orElse(null)))
                        .ifPresent(bound -> claims.accept(bound.claim()));
            }

            @Override
            public String handlerName() {
                return NAME;
            }
        };
    }

    /** A driver that begins or ceases to mount with labels changes the effective policy of its pods. */
    private ResourceEventHandler<GenericObject> driverHandler(RateLimitingQueue<ObjectName> queue) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(GenericObject driver, boolean isInInitialList) {
                addPods(driver);
            }

            @Override
            public void onUpdate(GenericObject old, GenericObject current) {
                if (CsiDrivers.mountsWithLabel(old) != CsiDrivers.mountsWithLabel(current)) {
                    addPods(current);
                }
            }

            @Override
            public void onDelete(DeletedObject<GenericObject> deleted) {
                GenericObject driver = deleted.lastKnown();
                if (driver != null && CsiDrivers.mountsWithLabel(driver)) {
                    addPods(driver);
                }
            }

            private void addPods(GenericObject driver) {
                shared.podsOf(driver.metadata().name()).forEach(queue::add);
            }

            @Override
            public String handlerName() {
                return NAME;
            }
        };
    }

    private void sync(ObjectName name) {
        Pod pod = pods.get(name);
        if (pod == null || pod.isFinished()) {
            shared.remove(name);
            return;
        }
        JsonObject security = JsonObject.of(pod.spec().unknownFields()).object("securityContext");
        Map<String, Set<SelinuxLabel>> mounts = PodMounts.labels(pod, security);
        boolean isComplete = true;
        for (JsonObject volume : PodVolumes.of(pod)) {
            Set<SelinuxLabel> labels = mounts.get(volume.string("name"));
            Optional<VolumeSpec> spec = volumes.spec(pod, volume);
            isComplete &= spec.isPresent() || PodVolumes.claim(pod, volume).isEmpty();
            if (labels == null || spec.isEmpty()) {
                continue;
            }
            if (labels.size() > 1) {
                isComplete = false;
                events.event(
                        ResourceTypes.PODS,
                        pod,
                        EventType.WARNING,
                        "MultipleSELinuxLabels",
                        "Volume \"" + volume.string("name")
                                + "\" is mounted twice with different SELinux labels inside this pod");
            } else if (!spec.get().id().isEmpty()) {
                SelinuxLabel label = labels.stream().findFirst().orElse(SelinuxLabel.NONE);
                Use use = use(spec.get(), label, security.string("seLinuxChangePolicy"));
                shared.add(spec.get(), name, use).forEach(this::report);
            }
        }
        if (!isComplete) {
            throw new IncompleteSyncException("some volumes of pod " + name + " are not bound, or have several labels");
        }
    }

    /** Nodes change the label of each file unless the driver mounts with labels, and the pod has one and agrees. */
    private Use use(VolumeSpec volume, SelinuxLabel label, String policy) {
        boolean isMounted = drivers.mountsWithLabel(volume) && !label.text().isEmpty() && !policy.equals(RECURSIVE);
        return isMounted
                ? new Use(label, policy.isEmpty() ? MOUNT_OPTION : policy)
                : new Use(SelinuxLabel.NONE, RECURSIVE);
    }

    private void report(SelinuxConflict conflict) {
        Pod pod = pods.get(conflict.pod());
        if (pod != null) {
            events.event(ResourceTypes.PODS, pod, EventType.NORMAL, conflict.reason(), conflict.message());
        }
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
