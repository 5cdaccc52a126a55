/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.StatefulSetStatus;
import io.kubeloop.api.apps.StatefulSetStatusBuilder;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Pods;
import java.time.Instant;
import java.util.List;

/** Computes the status of a set (upstream: {@code updateStatus} and {@code completeUpdate}). Stateless. */
final class StatefulSetStatuses {

    private StatefulSetStatuses() {}

    /**
     * Returns the status for these pods.
     *
     * @param deletedForUpdate the number of pods of the current revision that the sync has deleted
     */
    static StatefulSetStatus of(
            StatefulSet set, SetRevisions revisions, List<Pod> pods, int deletedForUpdate, Instant now) {
        int replicas = 0;
        int ready = 0;
        int available = 0;
        int current = 0;
        int updated = 0;
        for (Pod pod : pods) {
            if (!StatefulPods.isCreated(pod)) {
                continue;
            }
            replicas++;
            if (StatefulPods.isRunningAndReady(pod)) {
                ready++;
                available += Pods.isPodAvailable(pod, set.spec().minReadySeconds(), now) ? 1 : 0;
            }
            if (!pod.metadata().isDeleting()) {
                String revision = StatefulPods.revision(pod);
                current += revision.equals(revisions.currentName()) ? 1 : 0;
                updated += revision.equals(revisions.updateName()) ? 1 : 0;
            }
        }
        int wanted = Ordinals.replicas(set);
        boolean isUpdated = updated == wanted && ready == wanted && replicas == wanted;
        return StatefulSetStatusBuilder.builder()
                .observedGeneration(set.metadata().generation())
                .replicas(replicas)
                .readyReplicas(ready)
                .availableReplicas(available)
                .currentReplicas(isUpdated ? updated : current - deletedForUpdate)
                .updatedReplicas(updated)
                .currentRevision(isUpdated ? revisions.updateName() : revisions.currentName())
                .updateRevision(revisions.updateName())
                .collisionCount(revisions.collisionCount())
                .unknownFields(set.status().unknownFields()) // conditions of other clients
                .build();
    }

    /** Returns whether the status must be written: a number or a revision differs, or the generation is newer. */
    static boolean differs(StatefulSetStatus old, StatefulSetStatus status) {
        return status.observedGeneration() > old.observedGeneration()
                || status.replicas() != old.replicas()
                || status.readyReplicas() != old.readyReplicas()
                || status.availableReplicas() != old.availableReplicas()
                || status.currentReplicas() != old.currentReplicas()
                || status.updatedReplicas() != old.updatedReplicas()
                || !status.currentRevision().equals(old.currentRevision())
                || !status.updateRevision().equals(old.updateRevision());
    }
}
