/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A deployment with its ReplicaSets, as one sync sees them. Immutable.
 *
 * @param deployment the deployment
 * @param newSet the ReplicaSet of the current template; null if it does not exist
 * @param oldSets the ReplicaSets of older templates, also those without pods
 */
record Rollout(Deployment deployment, @Nullable ReplicaSet newSet, List<ReplicaSet> oldSets) {

    /** Oldest first; by name if two are of the same age. */
    static final Comparator<ReplicaSet> BY_AGE = Comparator.comparing(
                    (ReplicaSet set) -> set.metadata().creationTimestamp(),
                    Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(set -> set.metadata().name());

    /** Copies the list. */
    Rollout {
        oldSets = List.copyOf(oldSets);
    }

    /** Divides the ReplicaSets of a deployment. The oldest one with the current template is the new one. */
    static Rollout of(Deployment deployment, List<ReplicaSet> sets) {
        ReplicaSet newSet = sets.stream()
                .sorted(BY_AGE)
                .filter(set -> Templates.areEqual(
                        set.spec().template(), deployment.spec().template()))
                .findFirst()
                .orElse(null);
        List<ReplicaSet> oldSets = sets.stream()
                .filter(set -> newSet == null
                        || !set.metadata().uid().equals(newSet.metadata().uid()))
                .toList();
        return new Rollout(deployment, newSet, oldSets);
    }

    Rollout withDeployment(Deployment changed) {
        return new Rollout(changed, newSet, oldSets);
    }

    Rollout withNewSet(ReplicaSet changed) {
        return new Rollout(deployment, changed, oldSets);
    }

    /** Returns the wanted number of pods. */
    int replicas() {
        return replicas(deployment);
    }

    static int replicas(Deployment deployment) {
        Integer replicas = deployment.spec().replicas();
        return replicas == null ? 1 : replicas;
    }

    static int replicas(ReplicaSet set) {
        Integer replicas = set.spec().replicas();
        return replicas == null ? 1 : replicas;
    }

    RolloutLimits limits() {
        return RolloutLimits.of(deployment);
    }

    /** Returns the old ReplicaSets and, last, the new one. */
    List<ReplicaSet> all() {
        List<ReplicaSet> all = new ArrayList<>(oldSets);
        if (newSet != null) {
            all.add(newSet);
        }
        return all;
    }

    /** Returns the old ReplicaSets that want pods. */
    List<ReplicaSet> activeOldSets() {
        return active(oldSets);
    }

    /** Returns the ReplicaSets of a list that want pods. */
    static List<ReplicaSet> active(List<ReplicaSet> sets) {
        return sets.stream().filter(set -> replicas(set) > 0).toList();
    }

    /** Returns the sum of a number over ReplicaSets. */
    static int sum(List<ReplicaSet> sets, ToIntFunction<ReplicaSet> number) {
        return sets.stream().mapToInt(number).sum();
    }

    /** Returns the number of pods that the ReplicaSets want. */
    static int wanted(List<ReplicaSet> sets) {
        return sum(sets, Rollout::replicas);
    }

    /** Returns the number of available pods. */
    static int available(List<ReplicaSet> sets) {
        return sum(sets, set -> set.status().availableReplicas());
    }

    /**
     * Returns the number of available pods that a ReplicaSet keeps. Until its controller has removed the pods of a
     * scale down, its status counts pods that are about to go.
     */
    static int keptAvailable(ReplicaSet set) {
        return Math.min(set.status().availableReplicas(), replicas(set));
    }

    /** Returns the number of pods that exist. */
    static int existing(List<ReplicaSet> sets) {
        return sum(sets, set -> set.status().replicas());
    }
}
