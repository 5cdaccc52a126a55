/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentStrategy;
import io.kubeloop.api.apps.RollingUpdateDeployment;
import io.kubeloop.api.value.IntOrString;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a rolling update as numbers of pods (upstream: {@code ResolveFenceposts}, {@code MaxSurge}, {@code
 * MaxUnavailable}).
 *
 * @param maxSurge the number of pods that may exist beyond the wanted number
 * @param maxUnavailable the number of wanted pods that may be unavailable
 */
record RolloutLimits(int maxSurge, int maxUnavailable) {

    private static final RolloutLimits NONE = new RolloutLimits(0, 0);
    private static final IntOrString QUARTER = IntOrString.of("25%");

    /** Returns the limits of a deployment; none if its strategy is not a rolling update. */
    static RolloutLimits of(Deployment deployment) {
        DeploymentStrategy strategy = deployment.spec().strategy();
        if (!strategy.type().equals(DeploymentStrategy.ROLLING_UPDATE)) {
            return NONE;
        }
        int replicas = Rollout.replicas(deployment);
        RollingUpdateDeployment limits = strategy.rollingUpdate();
        int surge = scaled(limits == null ? null : limits.maxSurge(), replicas, true);
        int unavailable = scaled(limits == null ? null : limits.maxUnavailable(), replicas, false);
        if (surge == 0 && unavailable == 0) {
            // Validation rejects two zeros, but percentages of a small number can both become zero.
            unavailable = 1;
        }
        return new RolloutLimits(surge, Math.min(unavailable, replicas));
    }

    private static int scaled(@Nullable IntOrString limit, int replicas, boolean roundUp) {
        return (limit == null ? QUARTER : limit).scaled(replicas, roundUp);
    }
}
