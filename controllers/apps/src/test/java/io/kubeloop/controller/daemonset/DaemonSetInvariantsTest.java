/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I9: a node never gets a second pod of a set except by a surge, and a rolling update takes no available pods away
 * beyond maxUnavailable, whatever the cache lag; in the end each fitting node has one ready pod of the current
 * template.
 *
 * <p>See {@link DaemonSetSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class DaemonSetInvariantsTest {

    private static final int STEPS = 120;

    @Test
    void I9_daemonSetInAWorldThatGoesWrong_onePodPerNode_andItSettles() {
        SeededRuns.each(DaemonSetSimulation::new, simulation -> simulation.run(STEPS));
    }

    @Test
    void syncsThatBeginWhileTheCacheOfPodsIsBehind_areCounted() {
        try (DaemonSetSimulation simulation = new DaemonSetSimulation(1)) {
            simulation.run(0);
            assertThat(simulation.staleSyncs)
                    .as("every event is delivered first")
                    .isZero();
            simulation.run(5 * STEPS);
            assertThat(simulation.staleSyncs).isPositive();
        }
    }
}
