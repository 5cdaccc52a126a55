/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.Time;
import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.ContainerState;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when a pod ended, by the first of these that is known: the end of its last container, the end of its
 * readiness, its deletion, its creation (upstream: {@code getFinishedTime}). Stateless.
 */
final class FinishTimes {

    private FinishTimes() {}

    /** Returns the time at which the pod ended. */
    static Instant of(Pod pod) {
        return Stream.of(
                        endOfContainers(pod),
                        endOfReadiness(pod),
                        deletion(pod),
                        pod.metadata().creationTimestamp())
                .filter(Objects::nonNull)
                .findFirst()
                .map(Time::instant)
                .orElse(Instant.EPOCH);
    }

    /** Returns the latest end of a container; null if a container or a sidecar has no known end. */
    private static @Nullable Time endOfContainers(Pod pod) {
        List<String> sidecars =
                pod.spec().sidecars().stream().map(Container::name).toList();
        List<ContainerStatus> statuses = Stream.concat(
                        pod.status().containerStatuses().stream(),
                        pod.status().initContainerStatuses().stream()
                                .filter(status -> sidecars.contains(status.name())))
                .toList();
        Time latest = null;
        for (ContainerStatus status : statuses) {
            Time end = end(status.state());
            if (end == null) {
                return null;
            }
            latest = latest == null || latest.compareTo(end) < 0 ? end : latest;
        }
        return latest;
    }

    private static @Nullable Time end(@Nullable ContainerState state) {
        ContainerState.Terminated terminated = state == null ? null : state.terminated();
        return terminated == null ? null : terminated.finishedAt();
    }

    private static @Nullable Time endOfReadiness(Pod pod) {
        PodCondition ready = pod.status().condition(PodCondition.READY);
        return ready != null && ready.status().equals("False") ? ready.lastTransitionTime() : null;
    }

    /** The server sets the time of a deletion to the end of the grace period. */
    private static @Nullable Time deletion(Pod pod) {
        Time end = pod.metadata().deletionTimestamp();
        Long grace = pod.metadata().deletionGracePeriodSeconds();
        return end == null ? null : new Time(end.instant().minusSeconds(grace == null ? 0 : grace));
    }
}
