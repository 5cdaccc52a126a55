/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import java.time.Duration;

/**
 * The settings of the controller. Immutable.
 *
 * @param burstReplicas the largest number of pods that one sync creates or deletes; default 500, as upstream
 * @param parallelWrites the largest number of parallel writes of pods, over all workers; default 64
 * @param statusInterval the shortest time between two status writes of one owner while its pods change; default 100
 * ms. With zero every change is written, as upstream does. A complete rollout, a new generation and a condition are
 * written at once. It is also the delay of an owner's events after all its pod creations were rejected; retries of
 * the work queue are not delayed
 */
public record ReplicaSetControllerConfig(int burstReplicas, int parallelWrites, Duration statusInterval) {

    /** The defaults. */
    public static final ReplicaSetControllerConfig DEFAULT =
            new ReplicaSetControllerConfig(500, 64, Duration.ofMillis(100));

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
}
