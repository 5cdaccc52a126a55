/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The garbage collector never deletes an object that has a living owner, and leaves nothing behind once the world is
 * quiet.
 *
 * <p>See {@link CollectorSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class NothingWithAnOwnerIsDeletedTest {

    private static final int STEPS = 120;

    @Test
    void treesInAWorldThatGoesWrong_keepWhatHasAnOwner_andLoseTheRest() {
        SeededRuns.each(CollectorSimulation::new, simulation -> simulation.run(STEPS));
    }
}
