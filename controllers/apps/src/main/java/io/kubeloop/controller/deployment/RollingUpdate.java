/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.apps.ReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Moves pods from the old ReplicaSets to the new one step by step, within the limits (upstream: {@code rolling.go}).
 * Each step either grows the new one or shrinks the old ones; the pods' changes cause the next step. Thread-safe;
 * blocks while it writes.
 */
final class RollingUpdate {

    private final ReplicaSetScaler scaler;

    RollingUpdate(ReplicaSetScaler scaler) {
        this.scaler = scaler;
    }

    /** Takes one step; returns whether there was one. */
    boolean step(Rollout rollout) {
        return growNew(rollout) || shrinkOld(rollout);
    }

    private boolean growNew(Rollout rollout) {
        ReplicaSet newSet = Objects.requireNonNull(rollout.newSet());
        int size = Rollout.replicas(newSet);
        int wanted = size > rollout.replicas() ? rollout.replicas() : grown(rollout, size);
        if (size == rollout.replicas() || wanted == size) {
            return false;
        }
        scaler.scale(newSet, wanted, rollout.deployment());
        return true;
    }

    /** Returns the size to which the new ReplicaSet may grow (upstream: {@code NewRSNewReplicas}). */
    static int grown(Rollout rollout, int size) {
        int room = rollout.replicas() + rollout.limits().maxSurge() - Rollout.wanted(rollout.all());
        return room <= 0 ? size : size + Math.min(room, rollout.replicas() - size);
    }

    private boolean shrinkOld(Rollout rollout) {
        List<ReplicaSet> oldSets = rollout.activeOldSets();
        if (oldSets.isEmpty()) {
            return false;
        }
        ReplicaSet newSet = Objects.requireNonNull(rollout.newSet());
        int minAvailable = rollout.replicas() - rollout.limits().maxUnavailable();
        // New pods that are not available yet must not lead to the deletion of further old pods.
        int newUnavailable = Rollout.replicas(newSet) - Rollout.keptAvailable(newSet);
        int spare = Rollout.wanted(rollout.all()) - minAvailable - newUnavailable;
        if (spare <= 0) {
            return false;
        }
        List<ReplicaSet> remaining =
                new ArrayList<>(oldSets.stream().sorted(Rollout.BY_AGE).toList());
        int removed = removeUnavailable(rollout, remaining, spare);
        int available = Rollout.sum(remaining, Rollout::keptAvailable) + Rollout.keptAvailable(newSet);
        removed += removeAvailable(rollout, remaining, available - minAvailable);
        return removed > 0;
    }

    /** Removes pods that are not available first: that makes nothing worse. Returns how many. */
    private int removeUnavailable(Rollout rollout, List<ReplicaSet> oldSets, int most) {
        int removed = 0;
        for (int i = 0; i < oldSets.size() && removed < most; i++) {
            ReplicaSet set = oldSets.get(i);
            int size = Rollout.replicas(set);
            int count = Math.min(most - removed, size - Rollout.keptAvailable(set));
            if (count > 0) {
                oldSets.set(i, scaler.scale(set, size - count, rollout.deployment()));
                removed += count;
            }
        }
        return removed;
    }

    private int removeAvailable(Rollout rollout, List<ReplicaSet> oldSets, int most) {
        int removed = 0;
        for (ReplicaSet set : oldSets) {
            int size = Rollout.replicas(set);
            int count = Math.min(most - removed, size);
            if (count > 0) {
                scaler.scale(set, size - count, rollout.deployment());
                removed += count;
            }
        }
        return removed;
    }
}
