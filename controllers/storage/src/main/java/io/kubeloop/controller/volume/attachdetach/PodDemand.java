/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.volumes.CsiDrivers;
import io.kubeloop.controller.volumes.PodVolumes;
import io.kubeloop.controller.volumes.VolumeSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Keeps the desired state in step with the pods (upstream: {@code ProcessPodVolumes} and {@code
 * desiredStateOfWorldPopulator}). Confined to the worker; does not block.
 *
 * @param pods the cached pods
 * @param volumes finds the volumes of pods
 * @param drivers the drivers
 * @param desired the desired state
 */
record PodDemand(Lister<Pod> pods, PodVolumes volumes, CsiDrivers drivers, DesiredState desired) {

    /** Adds the volumes of a pod, or removes those of a pod whose containers no longer run. */
    void update(Pod pod) {
        boolean isTerminated = PodVolumes.isTerminated(pod);
        if (desired.isManaged(pod.spec().nodeName())) {
            forEach(pod, volume -> {
                if (isTerminated) {
                    remove(pod, volume);
                } else {
                    desired.add(pod, volume);
                }
            });
        }
    }

    /**
     * Removes the volumes of a deleted pod. Those whose claim is gone too remain until {@link #sweep}, because upstream
     * finds volumes by claims.
     */
    void removed(Pod pod) {
        forEach(pod, volume -> remove(pod, volume));
    }

    private void remove(Pod pod, VolumeSpec volume) {
        desired.remove(pod.metadata().uid(), volume.uniqueName(), pod.spec().nodeName());
    }

    /** Calls the consumer with each volume of a pod that must be attached. */
    void forEach(Pod pod, Consumer<VolumeSpec> consumer) {
        PodVolumes.of(pod).stream()
                .flatMap(volume -> volumes.spec(pod, volume).stream())
                .filter(drivers::requiresAttachment)
                .forEach(consumer);
    }

    /** Removes pods that the cache no longer shows, and volumes whose driver no longer requires attachments. */
    void sweep() {
        for (DesiredState.Wanted wanted : desired.all()) {
            boolean isAttachable = drivers.requiresAttachment(wanted.volume());
            for (Pod pod : wanted.pods()) {
                Pod current = pods.get(pod.objectName());
                if (!isAttachable
                        || current == null
                        || !current.metadata().uid().equals(pod.metadata().uid())
                        || PodVolumes.isTerminated(current)) {
                    remove(pod, wanted.volume());
                }
            }
        }
    }

    /** Adds the volumes of all pods. O(pods). */
    void addAll() {
        pods.list().stream().filter(pod -> !PodVolumes.isTerminated(pod)).forEach(this::update);
    }

    /** Returns the number of volumes of all pods, by node and plug-in. O(pods). */
    Map<List<String>, Integer> uses() {
        Map<List<String>, Integer> counts = new HashMap<>();
        for (Pod pod : pods.list()) {
            String node = pod.spec().nodeName();
            if (!node.isEmpty()) {
                PodVolumes.of(pod).stream()
                        .flatMap(volume -> volumes.spec(pod, volume).stream())
                        .filter(VolumeSpec::isAttachable)
                        .forEach(volume -> counts.merge(List.of(node, volume.qualifiedPlugin()), 1, Integer::sum));
            }
        }
        return counts;
    }
}
