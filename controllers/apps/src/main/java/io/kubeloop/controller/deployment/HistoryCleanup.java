/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.client.ApiException;
import java.util.Comparator;
import java.util.List;

/**
 * Deletes the oldest ReplicaSets without pods, beyond the history that the deployment keeps (upstream: {@code
 * cleanupDeployment}). Thread-safe; blocks while it deletes.
 */
final class HistoryCleanup {

    private static final Comparator<ReplicaSet> BY_REVISION =
            Comparator.<ReplicaSet>comparingLong(Revisions::of).thenComparing(Rollout.BY_AGE);

    private final DeploymentWrites writes;

    HistoryCleanup(DeploymentWrites writes) {
        this.writes = writes;
    }

    void run(Rollout rollout) {
        Integer limit = rollout.deployment().spec().revisionHistoryLimit();
        if (limit == null || limit == Integer.MAX_VALUE) {
            return;
        }
        List<ReplicaSet> kept = rollout.oldSets().stream()
                .filter(set -> !set.metadata().isDeleting())
                .sorted(BY_REVISION)
                .toList();
        kept.stream()
                .limit(Math.max(0, kept.size() - limit))
                .filter(HistoryCleanup::isIdle)
                .forEach(set -> delete(rollout.deployment(), set));
    }

    /** A ReplicaSet whose controller has not observed its last size may still have pods. */
    private static boolean isIdle(ReplicaSet set) {
        return set.status().replicas() == 0
                && Rollout.replicas(set) == 0
                && set.metadata().generation() <= set.status().observedGeneration();
    }

    private void delete(Deployment owner, ReplicaSet set) {
        try {
            writes.delete(owner, set);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
