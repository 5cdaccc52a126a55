/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ConditionBuilder;
import io.kubeloop.api.Time;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.apps.ReplicaSetStatusBuilder;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.pods.PodControl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes the status of an owner (upstream: {@code replica_set_utils.go}). Stateless. */
final class ReplicaSetStatuses {

    /** The type of the condition that pods cannot be created or deleted. */
    static final String REPLICA_FAILURE = "ReplicaFailure";

    private ReplicaSetStatuses() {}

    /**
     * Returns the status for these pods and this outcome of the sync; {@code observedGeneration} is unchanged.
     *
     * @param pods the owner's active pods before the sync's writes
     * @param terminating the number of its terminating pods; null if the status does not have it
     * @param error the failure of the sync's creations or deletions; null if there was none
     * @param now the current time
     */
    static ReplicaSetStatus calculateStatus(
            ReplicaView<?> owner,
            List<Pod> pods,
            @Nullable Integer terminating,
            @Nullable RuntimeException error,
            Instant now) {
        Selector template = LabelSelectors.ofMap(owner.template().metadata().labels());
        int fullyLabeled = 0;
        int ready = 0;
        int available = 0;
        for (Pod pod : pods) {
            if (template.matches(pod.metadata().labels())) {
                fullyLabeled++;
            }
            if (Pods.isPodReady(pod)) {
                ready++;
            }
            if (Pods.isPodAvailable(pod, owner.minReadySeconds(), now)) {
                available++;
            }
        }
        return ReplicaSetStatusBuilder.builder(owner.status())
                .replicas(pods.size())
                .fullyLabeledReplicas(fullyLabeled)
                .readyReplicas(ready)
                .availableReplicas(available)
                .terminatingReplicas(terminating)
                .conditions(conditions(owner, pods.size(), error, now))
                .build();
    }

    /**
     * The condition is added at the first failure, stays unchanged during further failures, and is removed at a
     * success.
     */
    private static List<Condition> conditions(
            ReplicaView<?> owner, int pods, @Nullable RuntimeException error, Instant now) {
        List<Condition> conditions = owner.status().conditions();
        if (isFailing(owner.status()) == (error != null)) {
            return conditions;
        }
        List<Condition> changed = new ArrayList<>(conditions);
        changed.removeIf(ReplicaSetStatuses::isReplicaFailure);
        if (error != null) {
            changed.add(ConditionBuilder.builder()
                    .type(REPLICA_FAILURE)
                    .status("True")
                    .lastTransitionTime(new Time(now))
                    .reason(reason(pods, owner.replicas()))
                    .message(Errors.text(error))
                    .build());
        }
        return changed;
    }

    private static String reason(int pods, int wanted) {
        if (pods == wanted) {
            return "";
        }
        return pods < wanted ? PodControl.FAILED_CREATE : PodControl.FAILED_DELETE;
    }

    /** Returns whether the status has the condition that pods cannot be created or deleted. */
    static boolean isFailing(ReplicaSetStatus status) {
        return status.conditions().stream().anyMatch(ReplicaSetStatuses::isReplicaFailure);
    }

    private static boolean isReplicaFailure(Condition condition) {
        return condition.type().equals(REPLICA_FAILURE);
    }
}
