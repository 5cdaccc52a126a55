/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An autoscaler in a world that goes wrong scales to exactly the number that its bounds, stabilization windows and
 * policies allow; in the end its metric is at the target.
 *
 * <p>See {@link AutoscalingSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The
 * system property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class AutoscalingInvariantsTest {

    private static final int STEPS = 150;

    @Test
    void autoscalerInAWorldThatGoesWrong_scalesByBoundsWindowsAndPolicies_andReachesItsTarget() {
        SeededRuns.each(AutoscalingSimulation::new, simulation -> simulation.run(STEPS));
    }
}
