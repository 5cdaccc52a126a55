/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I9: a set's pods are created and replaced in order, whatever the cache lag; in the end each wanted ordinal has a
 * ready pod of the right revision.
 *
 * <p>See {@link StatefulSetSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The
 * system property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class StatefulSetInvariantsTest {

    private static final int STEPS = 120;

    @Test
    void I9_statefulSetInAWorldThatGoesWrong_podsInOrder_andItSettles() {
        SeededRuns.each(StatefulSetSimulation::new, simulation -> simulation.run(STEPS));
    }

    @Test
    void syncsThatBeginWhileTheCacheOfPodsIsBehind_areCounted() {
        try (StatefulSetSimulation simulation = new StatefulSetSimulation(1)) {
            simulation.run(0);
            assertThat(simulation.staleSyncs)
                    .as("every event is delivered first")
                    .isZero();
            simulation.run(5 * STEPS);
            assertThat(simulation.staleSyncs).isPositive();
        }
    }
}
