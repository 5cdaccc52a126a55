/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.api.core.PodStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Pods grouped by the use of their metrics (upstream: {@code groupPods}).
 *
 * @param ready the number of pods whose value counts
 * @param unready pods that run too short, so their value means nothing yet
 * @param missing pods without a value
 * @param ignored pods that failed or are being deleted
 */
record PodGroups(int ready, Set<String> unready, Set<String> missing, Set<String> ignored) {

    /** An absent time is long ago, as Go's zero time. */
    private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

    /**
     * Groups the pods. O(pods). The values of {@code cpu} count late, because the start of a program costs processor
     * time.
     */
    static PodGroups of(
            List<Pod> pods,
            Map<String, PodMetrics.Value> values,
            String resource,
            PodAutoscalingConfig config,
            Instant now) {
        int ready = 0;
        Set<String> unready = new TreeSet<>();
        Set<String> missing = new TreeSet<>();
        Set<String> ignored = new TreeSet<>();
        for (Pod pod : pods) {
            String name = pod.metadata().name();
            String phase = pod.status().phase();
            PodMetrics.Value value = values.get(name);
            if (pod.metadata().isDeleting() || phase.equals(PodStatus.FAILED)) {
                ignored.add(name);
            } else if (phase.equals(PodStatus.PENDING)) {
                unready.add(name);
            } else if (value == null) {
                missing.add(name);
            } else if (resource.equals("cpu") && isStarting(pod, value, config, now)) {
                unready.add(name);
            } else {
                ready++;
            }
        }
        return new PodGroups(ready, unready, missing, ignored);
    }

    private static boolean isStarting(Pod pod, PodMetrics.Value value, PodAutoscalingConfig config, Instant now) {
        PodCondition condition = pod.status().condition(PodCondition.READY);
        Time start = pod.status().startTime();
        if (condition == null || start == null) {
            return true;
        }
        boolean isUnready = condition.status().equals("False");
        Time transition = condition.lastTransitionTime();
        Instant since = transition == null ? NEVER : transition.instant();
        return start.instant().plus(config.cpuInitializationPeriod()).isAfter(now)
                ? isUnready || value.timestamp().isBefore(since.plus(value.window()))
                : isUnready
                        && start.instant().plus(config.initialReadinessDelay()).isAfter(since);
    }
}
