/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import io.kubeloop.simulation.Simulation;
import io.kubeloop.simulation.Trial;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Makes a test of each trial of a simulation, for the module {@code kubeloop-simulation}. Stateless.
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> trials() {
 *     return SimulationTests.of(Simulation.of(Subject.controller(CODEC, SiteOperator::controller))
 *             .definitions(crds)
 *             .workload(workload)
 *             .invariant("at most one primary", state -> ...));
 * }
 * }</pre>
 *
 * <p>The system property {@code kubeloop.trial} selects one trial by its name.
 */
public final class SimulationTests {

    private SimulationTests() {}

    /**
     * Returns a test for the reference and one for each trial. Blocks until the reference has run.
     *
     * @param simulation the operator, its workload and its invariants
     * @throws IllegalStateException if the workload is empty
     */
    public static Stream<DynamicTest> of(Simulation simulation) {
        return simulation.trials().map(trial -> DynamicTest.dynamicTest(trial.name(), () -> pass(trial)));
    }

    private static void pass(Trial trial) {
        trial.run().get().ifPresent(finding -> {
            throw new AssertionError(
                    finding.text() + "Run only this trial with -Dkubeloop.trial='" + trial.name() + "'");
        });
    }
}
