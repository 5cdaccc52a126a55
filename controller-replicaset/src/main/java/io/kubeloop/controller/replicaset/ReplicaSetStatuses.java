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
import io.kubeloop.controller.PodControl;
import io.kubeloop.controller.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Works out what a status should say (upstream: {@code replica_set_utils.go}). */
final class ReplicaSetStatuses {

    /** The condition that says that pods cannot be created or deleted. */
    static final String REPLICA_FAILURE = "ReplicaFailure";

    private ReplicaSetStatuses() {}

    /**
     * Returns the status that the pods and the outcome of the sync call for; {@code observedGeneration} is still the old.
     *
     * @param pods the owner's active pods, as they were before the sync changed any
     * @param terminating how many of its pods are being deleted; null if nobody wants to know
     * @param error why the sync could not bring them to the wanted number, or null
     * @param now the present
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

    /** The condition appears with the first failure, stays as it is while failures go on, and vanishes with a success. */
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

    /** Returns whether the status says that pods could not be made or deleted. */
    static boolean isFailing(ReplicaSetStatus status) {
        return status.conditions().stream().anyMatch(ReplicaSetStatuses::isReplicaFailure);
    }

    private static boolean isReplicaFailure(Condition condition) {
        return condition.type().equals(REPLICA_FAILURE);
    }
}
