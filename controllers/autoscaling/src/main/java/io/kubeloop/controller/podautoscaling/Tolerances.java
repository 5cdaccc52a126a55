/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.autoscaling.ScalingBehavior;
import io.kubeloop.api.value.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * The tolerated deviations of a metric from its target, which do not change the number of pods.
 *
 * @param scaleDown the deviation to a smaller number of pods, as a ratio
 * @param scaleUp the deviation to a larger number of pods, as a ratio
 */
record Tolerances(double scaleDown, double scaleUp) {

    /** Returns the tolerances of the behavior; those that it does not set are the default. */
    static Tolerances of(@Nullable ScalingBehavior behavior, double byDefault) {
        return behavior == null
                ? new Tolerances(byDefault, byDefault)
                : new Tolerances(tolerance(behavior.scaleDown(), byDefault), tolerance(behavior.scaleUp(), byDefault));
    }

    private static double tolerance(ScalingBehavior.@Nullable Rules rules, double byDefault) {
        return rules == null || rules.tolerance().isEmpty()
                ? byDefault
                : Quantity.parse(rules.tolerance()).amount().doubleValue();
    }

    boolean includes(double ratio) {
        return 1.0 - scaleDown <= ratio && ratio <= 1.0 + scaleUp;
    }
}
