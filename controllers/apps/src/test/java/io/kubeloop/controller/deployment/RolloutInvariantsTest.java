/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I9: a rollout never wants more pods than replicas and surge allow, whatever the cache lag; in the end every pod is of
 * the current template.
 *
 * <p>See {@link DeploymentSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The
 * system property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class RolloutInvariantsTest {

    private static final int STEPS = 120;

    @Test
    void I9_deploymentInAWorldThatGoesWrong_neverMorePodsWantedThanAllowed_andItSettles() {
        SeededRuns.each(DeploymentSimulation::new, simulation -> simulation.run(STEPS));
    }
}
