/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No eviction overdraws a budget, whatever the cache lag; in the end the status equals a simple count.
 *
 * <p>See {@link BudgetSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class BudgetInvariantsTest {

    private static final int STEPS = 120;

    @Test
    void budgetInAWorldThatGoesWrong_isNeverOverdrawn_andItSettles() {
        SeededRuns.each(BudgetSimulation::new, simulation -> simulation.run(STEPS));
    }
}
