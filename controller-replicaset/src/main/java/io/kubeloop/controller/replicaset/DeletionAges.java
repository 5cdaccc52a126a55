/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * Records how old the pods are that a scale down deletes (upstream: {@code reportSortingDeletionAgeRatioMetric}).
 * Thread-safe.
 *
 * @param metrics receives the ratios
 * @param clock the time of day
 */
record DeletionAges(ControllerMetrics metrics, Clock clock) {

    private static final ControllerMetric RATIO = ControllerMetric.histogram(
            "replicaset_controller_sorting_deletion_age_ratio",
            "Age of a deleted ready pod in multiples of the youngest ready pod's age, rounded down",
            0.25,
            6);

    /** Records the ready pods among the first ones, relative to all. O(pods). */
    void record(List<Pod> ordered, int deleted) {
        Instant now = clock.instant();
        readyAges(ordered, now)
                .min()
                .ifPresent(youngest -> readyAges(ordered.subList(0, deleted), now)
                        .map(age -> age / youngest)
                        .forEach(ratio -> metrics.record(RATIO, (double) ratio)));
    }

    private static LongStream readyAges(List<Pod> pods, Instant now) {
        return pods.stream()
                .filter(Pod::isReady)
                .map(pod -> pod.metadata().creationTimestamp())
                .filter(Objects::nonNull)
                .mapToLong(created -> age(created, now));
    }

    /** Returns an age in milliseconds, at least 1: clocks of servers differ. */
    private static long age(Time created, Instant now) {
        return Math.max(1, Duration.between(created.instant(), now).toMillis());
    }
}
