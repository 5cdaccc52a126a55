/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volumes;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.ContainerState;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds the volumes behind the volumes of pods. Thread-safe; does not block.
 *
 * @param claims the cached claims
 * @param volumes the cached PersistentVolumes
 */
public record PodVolumes(Lister<PersistentVolumeClaim> claims, Lister<GenericObject> volumes) {

    private static final String INDEX = "pod-pvc-index";

    /** Returns the members of {@code spec.volumes}. */
    public static List<JsonObject> of(Pod pod) {
        return JsonObject.of(pod.spec().unknownFields())
                .array("volumes")
                .objects()
                .toList();
    }

    /** Returns the claim that a volume names, or that is created for an ephemeral volume; empty for other volumes. */
    public static Optional<ObjectName> claim(Pod pod, JsonObject volume) {
        String namespace = pod.metadata().namespace();
        if (volume.has("persistentVolumeClaim")) {
            return Optional.of(new ObjectName(namespace, volume.string("persistentVolumeClaim", "claimName")));
        }
        return volume.has("ephemeral")
                ? Optional.of(new ObjectName(namespace, pod.metadata().name() + "-" + volume.string("name")))
                : Optional.empty();
    }

    /** Returns whether a pod is the owner for which a claim was created. */
    public static boolean isOwner(Pod pod, PersistentVolumeClaim claim) {
        OwnerReference controller = claim.metadata().controller();
        return controller != null && controller.uid().equals(pod.metadata().uid());
    }

    /**
     * Adds an index of the pods by the claims that they use, unless another controller has added it, and returns a
     * function that reads it.
     */
    public static Function<ObjectName, List<Pod>> byClaim(SharedInformer<Pod> pods) {
        try {
            pods.addIndexers(Map.of(
                    INDEX,
                    pod -> of(pod).stream()
                            .flatMap(volume -> claim(pod, volume).stream())
                            .map(ObjectName::toString)
                            .toList()));
        } catch (IllegalArgumentException e) {
            // Another controller has added the same index. The next call throws for any other cause.
            pods.byIndex(INDEX, "");
        }
        return claim -> pods.byIndex(INDEX, claim.toString());
    }

    /**
     * Returns whether no container of a pod runs any longer: it has finished, or it is being deleted and all of them
     * are stopped.
     */
    public static boolean isTerminated(Pod pod) {
        return pod.isFinished()
                || (pod.metadata().isDeleting()
                        && Stream.concat(
                                        pod.status().initContainerStatuses().stream(),
                                        pod.status().containerStatuses().stream())
                                .noneMatch(PodVolumes::isRunning)
                        && JsonObject.of(pod.status().unknownFields())
                                .array("ephemeralContainerStatuses")
                                .objects()
                                .allMatch(status -> status.object("state").has("terminated")
                                        || status.object("state").has("waiting")));
    }

    private static boolean isRunning(ContainerStatus status) {
        ContainerState state = status.state();
        return state == null
                || (state.terminated() == null
                        && !JsonObject.of(state.unknownFields()).has("waiting"));
    }

    /**
     * Returns the volume behind a pod's volume. Empty while the claim is not bound to a PersistentVolume and the
     * PersistentVolume to it, and for volumes that no plug-in of a manager serves.
     */
    public Optional<VolumeSpec> spec(Pod pod, JsonObject volume) {
        Optional<ObjectName> name = claim(pod, volume);
        if (name.isEmpty()) {
            Optional<CsiMigration> migration =
                    CsiMigration.ofVolume(volume.members().keySet());
            return migration.isPresent()
                    ? CsiTranslation.inline(
                            migration.get(), volume, pod.metadata().namespace())
                    : VolumeSpec.of(volume.string("name"), volume, false);
        }
        PersistentVolumeClaim claim = claims.get(name.get());
        if (claim == null || (volume.has("ephemeral") && !isOwner(pod, claim))) {
            return Optional.empty();
        }
        JsonObject content = JsonObject.of(claim.unknownFields());
        GenericObject bound = volumes.get(new ObjectName("", content.string("spec", "volumeName")));
        return bound != null
                        && content.string("status", "phase").equals("Bound")
                        && bound.string("spec", "claimRef", "uid")
                                .equals(claim.metadata().uid())
                ? spec(bound)
                : Optional.empty();
    }

    /** Returns a PersistentVolume; empty for one that no plug-in of a manager serves. */
    public static Optional<VolumeSpec> spec(GenericObject volume) {
        Optional<CsiMigration> migration =
                CsiMigration.ofVolume(volume.map("spec").keySet());
        return migration.isPresent()
                ? CsiTranslation.persistent(migration.get(), volume)
                : VolumeSpec.of(
                        volume.metadata().name(),
                        JsonObject.of(volume.unknownFields()).object("spec"),
                        true);
    }
}
