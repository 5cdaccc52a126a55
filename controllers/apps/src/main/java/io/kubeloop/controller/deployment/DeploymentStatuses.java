/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import static io.kubeloop.controller.deployment.DeploymentConditions.AVAILABLE;
import static io.kubeloop.controller.deployment.DeploymentConditions.FALSE;
import static io.kubeloop.controller.deployment.DeploymentConditions.NEW_SET_AVAILABLE;
import static io.kubeloop.controller.deployment.DeploymentConditions.PROGRESSING;
import static io.kubeloop.controller.deployment.DeploymentConditions.TIMED_OUT;
import static io.kubeloop.controller.deployment.DeploymentConditions.TRUE;

import io.kubeloop.api.Time;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentCondition;
import io.kubeloop.api.apps.DeploymentStatus;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the status of a deployment and what it says about the rollout (upstream: {@code calculateStatus}).
 * Stateless.
 */
final class DeploymentStatuses {

    private DeploymentStatuses() {}

    /** Returns the numbers of a rollout, and the conditions as they were with the present availability. */
    static DeploymentStatus of(Rollout rollout, Time now) {
        Deployment deployment = rollout.deployment();
        List<ReplicaSet> all = rollout.all();
        int available = Rollout.available(all);
        boolean isAvailable = available >= rollout.replicas() - rollout.limits().maxUnavailable();
        DeploymentCondition availability = isAvailable
                ? DeploymentConditions.of(
                        AVAILABLE, TRUE, "MinimumReplicasAvailable", "Deployment has minimum availability.", now)
                : DeploymentConditions.of(
                        AVAILABLE,
                        FALSE,
                        "MinimumReplicasUnavailable",
                        "Deployment does not have minimum availability.",
                        now);
        ReplicaSet newSet = rollout.newSet();
        return DeploymentStatusBuilder.builder(deployment.status())
                .observedGeneration(deployment.metadata().generation())
                .replicas(Rollout.existing(all))
                .updatedReplicas(newSet == null ? 0 : newSet.status().replicas())
                .readyReplicas(Rollout.sum(all, set -> set.status().readyReplicas()))
                .availableReplicas(available)
                .unavailableReplicas(Math.max(0, Rollout.wanted(all) - available))
                .terminatingReplicas(terminating(all))
                .conditions(DeploymentConditions.with(deployment.status().conditions(), availability))
                .build();
    }

    /** Returns the number of terminating pods; null if a ReplicaSet that was synced does not report it. */
    private static @Nullable Integer terminating(List<ReplicaSet> sets) {
        int sum = 0;
        for (ReplicaSet set : sets) {
            ReplicaSetStatus status = set.status();
            Integer terminating = status.terminatingReplicas();
            if (terminating == null && status.observedGeneration() > 0) {
                return null;
            }
            sum += terminating == null ? 0 : terminating;
        }
        return sum;
    }

    /** Returns whether every pod is of the current template and available. */
    static boolean isComplete(Deployment deployment, DeploymentStatus status) {
        int replicas = Rollout.replicas(deployment);
        return status.updatedReplicas() == replicas
                && status.replicas() == replicas
                && status.availableReplicas() == replicas
                && status.observedGeneration() >= deployment.metadata().generation();
    }

    /** Returns whether the rollout has made progress between the two statuses. */
    static boolean isProgressing(DeploymentStatus old, DeploymentStatus status) {
        return status.updatedReplicas() > old.updatedReplicas()
                || status.replicas() - status.updatedReplicas() < old.replicas() - old.updatedReplicas()
                || status.readyReplicas() > old.readyReplicas()
                || status.availableReplicas() > old.availableReplicas();
    }

    /** Returns whether the last progress is longer ago than the deadline allows. */
    static boolean isTimedOut(DeploymentStatus status, Duration deadline, Instant now) {
        DeploymentCondition progress = DeploymentConditions.find(status.conditions(), PROGRESSING);
        if (progress == null || progress.reason().equals(NEW_SET_AVAILABLE)) {
            return false;
        }
        Time last = progress.lastUpdateTime();
        return progress.reason().equals(TIMED_OUT)
                || last == null
                || last.instant().plus(deadline).isBefore(now);
    }

    /** Returns the time without progress after which a rollout counts as failed; null for no limit. */
    static @Nullable Duration progressDeadline(Deployment deployment) {
        Integer seconds = deployment.spec().progressDeadlineSeconds();
        return seconds == null || seconds == Integer.MAX_VALUE ? null : Duration.ofSeconds(seconds);
    }
}
