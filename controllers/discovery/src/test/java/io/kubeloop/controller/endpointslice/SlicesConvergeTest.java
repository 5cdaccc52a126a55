/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * After any sequence of events, the EndpointSlices hold what a simple recomputation from services and pods gives, each
 * endpoint once, and no slice holds more than its limit. Mirrors hold what the Endpoints hold.
 *
 * <p>A failure prints the history of its run. The system property {@code kubeloop.simulation.runs} sets the number of
 * runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class SlicesConvergeTest {

    private static final int STEPS = 80;

    @Test
    void slices_worldThatGoesWrong_equalASimpleRecomputationInTheEnd() {
        SeededRuns.each(SlicesSimulation::new, simulation -> simulation.run(STEPS));
    }

    @Test
    void mirrors_worldThatGoesWrong_equalTheEndpointsInTheEnd() {
        SeededRuns.each(MirroringSimulation::new, simulation -> simulation.run(STEPS));
    }
}
