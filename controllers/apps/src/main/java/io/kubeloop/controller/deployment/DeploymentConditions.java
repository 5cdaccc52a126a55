/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.apps.DeploymentCondition;
import io.kubeloop.api.apps.DeploymentConditionBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the conditions of a deployment, one per type (upstream: {@code SetDeploymentCondition}). Stateless.
 */
final class DeploymentConditions {

    static final String AVAILABLE = "Available";
    static final String PROGRESSING = "Progressing";
    static final String REPLICA_FAILURE = "ReplicaFailure";

    static final String TRUE = "True";
    static final String FALSE = "False";
    static final String UNKNOWN = "Unknown";

    /** Reason: the rollout made no progress for too long. */
    static final String TIMED_OUT = "ProgressDeadlineExceeded";
    /** Reason: the rollout has ended. */
    static final String NEW_SET_AVAILABLE = "NewReplicaSetAvailable";
    /** Reason: the rollout is suspended. */
    static final String PAUSED = "DeploymentPaused";

    private DeploymentConditions() {}

    /** Creates a condition that changes now. */
    static DeploymentCondition of(String type, String status, String reason, String message, Time now) {
        return new DeploymentCondition(type, status, now, now, reason, message, UnknownFields.NONE);
    }

    /** Returns the condition of a type, or null. */
    static @Nullable DeploymentCondition find(List<DeploymentCondition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the conditions with this one. Nothing changes if status and reason are as before. The time of the
     * transition stays if the status does.
     */
    static List<DeploymentCondition> with(List<DeploymentCondition> conditions, DeploymentCondition added) {
        DeploymentCondition current = find(conditions, added.type());
        if (current == null) {
            return append(conditions, added);
        }
        if (!current.status().equals(added.status())) {
            return append(without(conditions, added.type()), added);
        }
        if (current.reason().equals(added.reason())) {
            return conditions;
        }
        DeploymentCondition kept = DeploymentConditionBuilder.builder(added)
                .lastTransitionTime(current.lastTransitionTime())
                .build();
        return append(without(conditions, added.type()), kept);
    }

    /** Returns the conditions without those of a type. */
    static List<DeploymentCondition> without(List<DeploymentCondition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> !condition.type().equals(type))
                .toList();
    }

    private static List<DeploymentCondition> append(List<DeploymentCondition> conditions, DeploymentCondition added) {
        List<DeploymentCondition> result = new ArrayList<>(conditions);
        result.add(added);
        return result;
    }
}
