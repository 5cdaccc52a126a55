/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.bootstrap;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Only expired tokens are deleted, and {@code cluster-info} keeps its content, whatever the cache lag; in the end it
 * has the signatures of exactly the tokens that may sign.
 *
 * <p>See {@link BootstrapSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class BootstrapInvariantsTest {

    private static final int STEPS = 120;

    @Test
    void tokensInAWorldThatGoesWrong_signWhileTheyLive_andGoWhenTheyExpire() {
        SeededRuns.each(BootstrapSimulation::new, simulation -> simulation.run(STEPS));
    }
}
