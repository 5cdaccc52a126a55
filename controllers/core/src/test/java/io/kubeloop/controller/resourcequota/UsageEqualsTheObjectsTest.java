/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The usage of every quota equals what its objects use once the world is quiet.
 *
 * <p>See {@link QuotaSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 2,000 or more in the profile {@code stress}.
 */
@Tag("stress")
class UsageEqualsTheObjectsTest {

    private static final int STEPS = 100;

    @Test
    void quotasInAWorldThatGoesWrong_countEveryObject() {
        SeededRuns.each(QuotaSimulation::new, simulation -> simulation.run(STEPS));
    }
}
