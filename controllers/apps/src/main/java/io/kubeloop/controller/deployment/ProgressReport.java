/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import static io.kubeloop.controller.deployment.DeploymentConditions.FALSE;
import static io.kubeloop.controller.deployment.DeploymentConditions.NEW_SET_AVAILABLE;
import static io.kubeloop.controller.deployment.DeploymentConditions.PAUSED;
import static io.kubeloop.controller.deployment.DeploymentConditions.PROGRESSING;
import static io.kubeloop.controller.deployment.DeploymentConditions.REPLICA_FAILURE;
import static io.kubeloop.controller.deployment.DeploymentConditions.TIMED_OUT;
import static io.kubeloop.controller.deployment.DeploymentConditions.TRUE;
import static io.kubeloop.controller.deployment.DeploymentConditions.UNKNOWN;

import io.kubeloop.api.Condition;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentCondition;
import io.kubeloop.api.apps.DeploymentConditionBuilder;
import io.kubeloop.api.apps.DeploymentStatus;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.ReplicaSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of a deployment, with the conditions about the progress of the rollout (upstream: {@code
 * progress.go}). Thread-safe for different deployments; blocks while it writes.
 */
final class ProgressReport {

    /** A deadline that passes sooner is checked at the next rate-limited sync. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final DeploymentWrites writes;
    private final Clock clock;

    ProgressReport(DeploymentWrites writes, Clock clock) {
        this.writes = writes;
        this.clock = clock;
    }

    /** Writes the status without a look at the progress. */
    void writeStatus(Rollout rollout) {
        write(rollout.deployment(), DeploymentStatuses.of(rollout, now()));
    }

    /**
     * Writes the status with the condition of the progress.
     *
     * @return the delay after which the rollout may exceed its deadline; null if no time limits it
     */
    @Nullable
    Duration writeProgress(Rollout rollout) {
        Deployment deployment = rollout.deployment();
        DeploymentStatus status = withFailures(withProgress(DeploymentStatuses.of(rollout, now()), rollout), rollout);
        if (write(deployment, status)) {
            return null; // the event of the write queues the deployment again
        }
        return untilDeadline(deployment, status);
    }

    private Time now() {
        return new Time(clock.instant());
    }

    private boolean write(Deployment deployment, DeploymentStatus status) {
        if (status.equals(deployment.status())) {
            return false;
        }
        writes.deployments().updateStatus(deployment.withStatus(status));
        return true;
    }

    private DeploymentStatus withProgress(DeploymentStatus status, Rollout rollout) {
        Deployment deployment = rollout.deployment();
        List<DeploymentCondition> conditions = status.conditions();
        Duration deadline = DeploymentStatuses.progressDeadline(deployment);
        if (deadline == null) {
            return withConditions(status, DeploymentConditions.without(conditions, PROGRESSING));
        }
        DeploymentCondition current =
                DeploymentConditions.find(deployment.status().conditions(), PROGRESSING);
        boolean isOver = status.replicas() == status.updatedReplicas()
                && current != null
                && current.reason().equals(NEW_SET_AVAILABLE);
        if (isOver) {
            return status; // later changes of the pods are no rollout
        }
        ReplicaSet newSet = rollout.newSet();
        String subject = newSet == null
                ? "Deployment \"" + deployment.metadata().name() + "\""
                : "ReplicaSet \"" + newSet.metadata().name() + "\"";
        if (DeploymentStatuses.isComplete(deployment, status)) {
            return with(status, TRUE, NEW_SET_AVAILABLE, subject + " has successfully progressed.");
        }
        if (DeploymentStatuses.isProgressing(deployment.status(), status)) {
            return progressing(status, current, subject);
        }
        return DeploymentStatuses.isTimedOut(status, deadline, clock.instant())
                ? with(status, FALSE, TIMED_OUT, subject + " has timed out progressing.")
                : status;
    }

    private DeploymentStatus with(DeploymentStatus status, String value, String reason, String message) {
        DeploymentCondition condition = DeploymentConditions.of(PROGRESSING, value, reason, message, now());
        return withConditions(status, DeploymentConditions.with(status.conditions(), condition));
    }

    /**
     * Unlike every other condition, this one gets the present time even if status and reason stay: it restarts the
     * deadline.
     */
    private DeploymentStatus progressing(
            DeploymentStatus status, @Nullable DeploymentCondition current, String subject) {
        DeploymentCondition condition =
                DeploymentConditions.of(PROGRESSING, TRUE, "ReplicaSetUpdated", subject + " is progressing.", now());
        if (current != null && current.isTrue()) {
            condition = DeploymentConditionBuilder.builder(condition)
                    .lastTransitionTime(current.lastTransitionTime())
                    .build();
        }
        return withConditions(
                status,
                DeploymentConditions.with(DeploymentConditions.without(status.conditions(), PROGRESSING), condition));
    }

    private static DeploymentStatus withConditions(DeploymentStatus status, List<DeploymentCondition> conditions) {
        return DeploymentStatusBuilder.builder(status).conditions(conditions).build();
    }

    /** The failure of the new ReplicaSet counts before those of the old ones. */
    private static DeploymentStatus withFailures(DeploymentStatus status, Rollout rollout) {
        Condition failure = Stream.concat(Stream.ofNullable(rollout.newSet()), rollout.all().stream())
                .flatMap(set -> set.status().conditions().stream())
                .filter(condition -> condition.type().equals(REPLICA_FAILURE))
                .findFirst()
                .orElse(null);
        List<DeploymentCondition> conditions = failure == null
                ? DeploymentConditions.without(status.conditions(), REPLICA_FAILURE)
                : DeploymentConditions.with(
                        status.conditions(),
                        new DeploymentCondition(
                                REPLICA_FAILURE,
                                failure.status(),
                                failure.lastTransitionTime(),
                                failure.lastTransitionTime(),
                                failure.reason(),
                                failure.message(),
                                UnknownFields.NONE));
        return withConditions(status, conditions);
    }

    private @Nullable Duration untilDeadline(Deployment deployment, DeploymentStatus status) {
        DeploymentCondition current =
                DeploymentConditions.find(deployment.status().conditions(), PROGRESSING);
        Duration deadline = DeploymentStatuses.progressDeadline(deployment);
        if (deadline == null
                || current == null
                || current.lastUpdateTime() == null
                || current.reason().equals(TIMED_OUT)
                || DeploymentStatuses.isComplete(deployment, status)) {
            return null;
        }
        Instant end = current.lastUpdateTime().instant().plus(deadline);
        Duration left = Duration.between(clock.instant(), end);
        // One second more: times in objects have no fractions of seconds.
        return left.compareTo(SOON) < 0 ? Duration.ZERO : left.plusSeconds(1);
    }

    /** Records in the status that the deployment was paused or resumed; returns the stored deployment. */
    Deployment writePause(Deployment deployment) {
        List<DeploymentCondition> conditions = deployment.status().conditions();
        DeploymentCondition current = DeploymentConditions.find(conditions, PROGRESSING);
        if (DeploymentStatuses.progressDeadline(deployment) == null
                || (current != null && current.reason().equals(TIMED_OUT))) {
            return deployment;
        }
        boolean isRecorded = current != null && current.reason().equals(PAUSED);
        boolean paused = deployment.spec().paused();
        if (paused == isRecorded) {
            return deployment;
        }
        DeploymentCondition condition = paused
                ? DeploymentConditions.of(PROGRESSING, UNKNOWN, PAUSED, "Deployment is paused", now())
                : DeploymentConditions.of(PROGRESSING, UNKNOWN, "DeploymentResumed", "Deployment is resumed", now());
        return writes.updateConditions(deployment, DeploymentConditions.with(conditions, condition));
    }
}
