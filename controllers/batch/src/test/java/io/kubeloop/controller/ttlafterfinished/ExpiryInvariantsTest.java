/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.ttlafterfinished;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No job is deleted before its time to live has passed after its end, whatever the cache lag; in the end no such job is
 * left.
 *
 * <p>See {@link ExpirySimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class ExpiryInvariantsTest {

    private static final int STEPS = 120;

    @Test
    void finishedJobsInAWorldThatGoesWrong_goAfterTheirTime_andNotBefore() {
        SeededRuns.each(ExpirySimulation::new, simulation -> simulation.run(STEPS));
    }
}
