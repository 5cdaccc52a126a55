/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.ContainerState;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/**
 * The claims that pods use (upstream: {@code pvc_protection_controller.go} and {@code storage/ephemeral}). Static
 * functions only.
 */
final class UsedClaims {

    private UsedClaims() {}

    private static List<JsonObject> volumes(Pod pod) {
        return JsonObject.of(pod.spec().unknownFields())
                .array("volumes")
                .objects()
                .toList();
    }

    /** Returns the keys of the claims that the volumes of a pod name, also those of its ephemeral volumes. */
    static List<ObjectName> of(Pod pod) {
        return volumes(pod).stream()
                .flatMap(volume -> Stream.concat(named(volume), ephemeral(pod, volume)))
                .map(name -> new ObjectName(pod.metadata().namespace(), name))
                .toList();
    }

    private static Stream<String> named(JsonObject volume) {
        return volume.has("persistentVolumeClaim")
                ? Stream.of(volume.string("persistentVolumeClaim", "claimName"))
                : Stream.empty();
    }

    private static Stream<String> ephemeral(Pod pod, JsonObject volume) {
        return volume.has("ephemeral")
                ? Stream.of(pod.metadata().name() + "-" + volume.string("name"))
                : Stream.empty();
    }

    /**
     * Returns whether a pod prevents the deletion of a claim. A pod without a node does not: its kubelet refuses a
     * claim that is being deleted.
     */
    static boolean uses(Pod pod, PersistentVolumeClaim claim) {
        String name = claim.metadata().name();
        return !pod.spec().nodeName().isEmpty()
                && volumes(pod).stream()
                        .anyMatch(volume -> named(volume).anyMatch(name::equals)
                                || (!isShutDown(pod)
                                        && ephemeral(pod, volume).anyMatch(name::equals)
                                        && isControlledBy(claim, pod)));
    }

    private static boolean isControlledBy(PersistentVolumeClaim claim, Pod pod) {
        OwnerReference controller = claim.metadata().controller();
        return controller != null && controller.uid().equals(pod.metadata().uid());
    }

    /** Returns whether the kubelet is done with a pod, which only its finalizers keep. */
    private static boolean isShutDown(Pod pod) {
        Long grace = pod.metadata().deletionGracePeriodSeconds();
        return pod.metadata().isDeleting() && grace != null && grace == 0;
    }

    /**
     * Returns whether no container of a pod runs any longer: it has finished, or it is being deleted and all of them
     * are stopped.
     */
    static boolean isTerminated(Pod pod) {
        return pod.isFinished()
                || (pod.metadata().isDeleting()
                        && pod.status().containerStatuses().stream().noneMatch(UsedClaims::isRunning));
    }

    private static boolean isRunning(ContainerStatus status) {
        ContainerState state = status.state();
        return state == null
                || (state.terminated() == null
                        && !JsonObject.of(state.unknownFields()).has("waiting"));
    }
}
