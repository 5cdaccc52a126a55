/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.namespace;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A deleted namespace goes, with all of its content and pods first; no other namespace loses anything, and no object
 * outlives its namespace.
 *
 * <p>See {@link NamespaceSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The system
 * property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class NothingIsLeftOverTest {

    private static final int STEPS = 100;

    @Test
    void namespacesInAWorldThatGoesWrong_goWithTheirContentOnly() {
        SeededRuns.each(NamespaceSimulation::new, simulation -> simulation.run(STEPS));
    }
}
