/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Distributes a change of the wanted number over the ReplicaSets of a rollout that is in progress, in proportion to
 * their sizes (upstream: {@code scale} and {@code GetReplicaSetProportion}). If the new template is broken, a scale up
 * then does not make all added pods broken. Stateless.
 */
final class ProportionalScaling {

    private static final Comparator<ReplicaSet> LARGEST_FIRST =
            Comparator.comparingInt((ReplicaSet set) -> Rollout.replicas(set)).reversed();

    private ProportionalScaling() {}

    /** Returns the sizes of all ReplicaSets that want pods, the largest first. */
    static Map<ReplicaSet, Integer> sizes(Rollout rollout) {
        Deployment deployment = rollout.deployment();
        List<ReplicaSet> active = Rollout.active(rollout.all());
        int replicas = rollout.replicas();
        int allowed = replicas > 0 ? replicas + rollout.limits().maxSurge() : 0;
        int toAdd = allowed - Rollout.wanted(active);
        // Between sets of one size, newer ones grow first and older ones shrink first.
        Comparator<ReplicaSet> order =
                LARGEST_FIRST.thenComparing(toAdd > 0 ? Rollout.BY_AGE.reversed() : Rollout.BY_AGE);
        List<ReplicaSet> sorted =
                toAdd == 0 ? active : active.stream().sorted(order).toList();
        Map<ReplicaSet, Integer> sizes = new LinkedHashMap<>();
        int added = 0;
        for (ReplicaSet set : sorted) {
            int proportion = proportion(set, deployment, toAdd, added);
            sizes.put(set, Rollout.replicas(set) + proportion);
            added += proportion;
        }
        if (toAdd != 0 && !sorted.isEmpty()) {
            int leftover = toAdd - added;
            sizes.computeIfPresent(sorted.get(0), (set, size) -> Math.max(0, size + leftover));
        }
        return sizes;
    }

    /** Returns the share of a ReplicaSet in a change of the number, at most the part that is not distributed yet. */
    static int proportion(ReplicaSet set, Deployment deployment, int toAdd, int added) {
        if (Rollout.replicas(set) == 0 || toAdd == 0 || toAdd == added) {
            return 0;
        }
        int fraction = fraction(set, deployment);
        int left = toAdd - added;
        return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    }

    private static int fraction(ReplicaSet set, Deployment deployment) {
        int size = Rollout.replicas(set);
        int replicas = Rollout.replicas(deployment);
        if (replicas == 0) {
            return -size;
        }
        int max = replicas + RolloutLimits.of(deployment).maxSurge();
        Integer recorded = Revisions.max(set);
        // Without the annotation, which anybody can remove, the present size is the best estimate.
        int before = recorded == null || recorded == 0 ? deployment.status().replicas() : recorded;
        return before == 0 ? 0 : roundHalfAway((double) (size * max) / before) - size;
    }

    private static int roundHalfAway(double value) {
        return (int) (value < 0 ? value - 0.5 : value + 0.5);
    }
}
