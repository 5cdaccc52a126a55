package io.kubeloop.controller.replicaset;

import java.time.Duration;

/**
 * How the controller works.
 *
 * @param burstReplicas how many pods one sync creates or deletes at most; default 500, as upstream
 * @param parallelWrites how many writes of pods are under way at once at most, over all workers; default 64
 * @param statusInterval how much time lies at least between two writes of one object's status, while its numbers are on their
 *     way to what is wanted; default 100 ms. With zero each number is written, as upstream does. Never waits: that all pods are
 *     available, a new generation, a condition. And how long after an owner was refused all its pods its events wait; the tries
 *     after a backoff don't
 * @param terminatingReplicas whether the status of ReplicaSets says how many pods are being deleted, as KEP-3973 has it and current
 *     releases do by default; default false. Servers before v1.33 don't know the field
 * @param logarithmicScaleDown whether a scale down tells ages apart by their magnitudes only, and lets chance decide between pods
 *     that are about as old, as KEP-2185 has it and releases since v1.22 do by default; default false
 */
public record ReplicaSetControllerConfig(
        int burstReplicas,
        int parallelWrites,
        Duration statusInterval,
        boolean terminatingReplicas,
        boolean logarithmicScaleDown) {

    /** The defaults. */
    public static final ReplicaSetControllerConfig DEFAULT =
            new ReplicaSetControllerConfig(500, 64, Duration.ofMillis(100), false, false);

    /** Checks that the numbers are at least 1, and the interval not negative. */
    public ReplicaSetControllerConfig {
        if (burstReplicas < 1 || parallelWrites < 1) {
            throw new IllegalArgumentException("burstReplicas and parallelWrites must be at least 1, got "
                    + burstReplicas + " and " + parallelWrites);
        }
        if (statusInterval.isNegative()) {
            throw new IllegalArgumentException("statusInterval must not be negative, got " + statusInterval);
        }
    }

    /** Returns a copy that counts pods that are being deleted, or not. */
    public ReplicaSetControllerConfig withTerminatingReplicas(boolean counted) {
        return new ReplicaSetControllerConfig(
                burstReplicas, parallelWrites, statusInterval, counted, logarithmicScaleDown);
    }

    /** Returns a copy that scales down by the magnitudes of ages, or by exact ages. */
    public ReplicaSetControllerConfig withLogarithmicScaleDown(boolean logarithmic) {
        return new ReplicaSetControllerConfig(
                burstReplicas, parallelWrites, statusInterval, terminatingReplicas, logarithmic);
    }
}
