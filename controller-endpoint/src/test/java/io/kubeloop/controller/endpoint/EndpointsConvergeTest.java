/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * After any sequence of events, the Endpoints equal a simple recomputation from services and pods.
 *
 * <p>See {@link EndpointsSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class EndpointsConvergeTest {

    private static final int STEPS = 80;

    @Test
    void endpoints_worldThatGoesWrong_equalASimpleRecomputationInTheEnd() {
        SeededRuns.each(EndpointsSimulation::new, simulation -> simulation.run(STEPS));
    }
}
