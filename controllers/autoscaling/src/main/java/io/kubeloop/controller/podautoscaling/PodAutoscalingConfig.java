/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import java.time.Duration;

/**
 * Options of the controller of HorizontalPodAutoscalers (upstream: {@code HPAControllerConfiguration}).
 *
 * @param syncPeriod the time between two syncs of an autoscaler; positive; default 15 s
 * @param downscaleStabilization how long a higher recommendation prevents a smaller number of pods; default 5 min
 * @param tolerance the deviation of a metric from its target, as a ratio, that changes nothing; default 0.1
 * @param cpuInitializationPeriod how long after its start a pod's CPU usage counts only if the pod is ready; default 5
 *     min
 * @param initialReadinessDelay how long after its start a pod that is not ready counts as never ready; default 30 s
 */
public record PodAutoscalingConfig(
        Duration syncPeriod,
        Duration downscaleStabilization,
        double tolerance,
        Duration cpuInitializationPeriod,
        Duration initialReadinessDelay) {

    /** The defaults of kube-controller-manager. */
    public static final PodAutoscalingConfig DEFAULT = new PodAutoscalingConfig(
            Duration.ofSeconds(15), Duration.ofMinutes(5), 0.1, Duration.ofMinutes(5), Duration.ofSeconds(30));

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the sync period is not positive, or if another value is negative
     */
    public PodAutoscalingConfig {
        if (syncPeriod.isNegative() || syncPeriod.isZero()) {
            throw new IllegalArgumentException("the sync period must be positive, got " + syncPeriod);
        }
        if (downscaleStabilization.isNegative()
                || cpuInitializationPeriod.isNegative()
                || initialReadinessDelay.isNegative()) {
            throw new IllegalArgumentException("durations must not be negative, got " + downscaleStabilization + ", "
                    + cpuInitializationPeriod + " and " + initialReadinessDelay);
        }
        if (!(tolerance >= 0 && Double.isFinite(tolerance))) {
            throw new IllegalArgumentException("the tolerance must be a number and not negative, got " + tolerance);
        }
    }

    /** Returns a copy with this sync period. */
    public PodAutoscalingConfig withSyncPeriod(Duration period) {
        return new PodAutoscalingConfig(
                period, downscaleStabilization, tolerance, cpuInitializationPeriod, initialReadinessDelay);
    }

    /** Returns a copy with this stabilization window. */
    public PodAutoscalingConfig withDownscaleStabilization(Duration window) {
        return new PodAutoscalingConfig(syncPeriod, window, tolerance, cpuInitializationPeriod, initialReadinessDelay);
    }

    /** Returns a copy with this period and this delay after the start of a pod. */
    public PodAutoscalingConfig withInitialization(Duration cpuPeriod, Duration readinessDelay) {
        return new PodAutoscalingConfig(syncPeriod, downscaleStabilization, tolerance, cpuPeriod, readinessDelay);
    }
}
