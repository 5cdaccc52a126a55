/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.volumes.PodVolumes;
import java.util.List;

/**
 * The claims that pods use (upstream: {@code pvc_protection_controller.go} and {@code storage/ephemeral}). Static
 * functions only.
 */
final class UsedClaims {

    private UsedClaims() {}

    /** Returns the keys of the claims that the volumes of a pod name, also those of its ephemeral volumes. */
    static List<ObjectName> of(Pod pod) {
        return PodVolumes.of(pod).stream()
                .flatMap(volume -> PodVolumes.claim(pod, volume).stream())
                .toList();
    }

    /**
     * Returns whether a pod prevents the deletion of a claim. A pod without a node does not: its kubelet refuses a
     * claim that is being deleted.
     */
    static boolean uses(Pod pod, PersistentVolumeClaim claim) {
        return !pod.spec().nodeName().isEmpty()
                && PodVolumes.of(pod).stream()
                        .filter(volume -> PodVolumes.claim(pod, volume).stream().anyMatch(claim.objectName()::equals))
                        .anyMatch(volume ->
                                !volume.has("ephemeral") || (!isShutDown(pod) && PodVolumes.isOwner(pod, claim)));
    }

    /** Returns whether a pod that has not ended names a claim, on a node or not. */
    static boolean references(Pod pod, PersistentVolumeClaim claim) {
        return !PodVolumes.isTerminated(pod)
                && PodVolumes.of(pod).stream()
                        .filter(volume -> PodVolumes.claim(pod, volume).stream().anyMatch(claim.objectName()::equals))
                        .anyMatch(volume -> !volume.has("ephemeral") || PodVolumes.isOwner(pod, claim));
    }

    /** Returns whether the kubelet is done with a pod, which only its finalizers keep. */
    private static boolean isShutDown(Pod pod) {
        Long grace = pod.metadata().deletionGracePeriodSeconds();
        return pod.metadata().isDeleting() && grace != null && grace == 0;
    }
}
