/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Predicates of pods that controllers share; stateless (upstream: {@code controller_utils.go} and {@code
 * pkg/api/v1/pod}).
 */
public final class Pods {

    private Pods() {}

    /** Returns the pod's key in expectations (upstream: {@code PodKey}). */
    public static ObjectName podKey(Pod pod) {
        return pod.objectName();
    }

    /** Returns whether the pod is active: it has not finished and is not being deleted. */
    public static boolean isPodActive(Pod pod) {
        return !pod.isFinished() && !pod.metadata().isDeleting();
    }

    /** Returns whether the pod is being deleted and has not finished (upstream: {@code IsPodTerminating}). */
    public static boolean isPodTerminating(Pod pod) {
        return !pod.isFinished() && pod.metadata().isDeleting();
    }

    /** Returns whether the pod is ready. */
    public static boolean isPodReady(Pod pod) {
        return pod.isReady();
    }

    /**
     * Returns whether the pod has been ready for longer than {@code minReadySeconds}.
     *
     * @param minReadySeconds the minimum in seconds; with 0 a ready pod is available at once. Otherwise a pod without
     * the time of its last transition is not available
     * @param now the current time
     */
    public static boolean isPodAvailable(Pod pod, int minReadySeconds, Instant now) {
        PodCondition ready = pod.status().condition(PodCondition.READY);
        if (ready == null || !ready.isTrue()) {
            return false;
        }
        if (minReadySeconds == 0) {
            return true;
        }
        Instant end = endOfMinimum(ready, minReadySeconds);
        return end != null && end.isBefore(now);
    }

    /**
     * Returns the earliest time at which another of the pods becomes available by the passage of time alone; null if
     * there is none. O(n).
     *
     * @param minReadySeconds as for {@link #isPodAvailable}
     * @param now the current time
     */
    public static @Nullable Instant nextAvailability(Collection<Pod> pods, int minReadySeconds, Instant now) {
        return pods.stream()
                .filter(pod -> isPodReady(pod) && !isPodAvailable(pod, minReadySeconds, now))
                .map(pod -> endOfMinimum(pod.status().condition(PodCondition.READY), minReadySeconds))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .map(end -> end.plusMillis(1)) // the minimum must be exceeded
                .orElse(null);
    }

    private static @Nullable Instant endOfMinimum(@Nullable PodCondition ready, int minReadySeconds) {
        Time since = ready == null ? null : ready.lastTransitionTime();
        return since == null ? null : since.instant().plus(Duration.ofSeconds(minReadySeconds));
    }
}
