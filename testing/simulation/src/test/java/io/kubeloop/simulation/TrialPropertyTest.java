/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code -Dkubeloop.trial=NAME} runs one trial, as the report of a failure says. */
@Isolated("it sets a system property that all simulations read")
class TrialPropertyTest {

    private static SimulationReport run() {
        return FaultyOperators.STATUS_BEFORE_WORK.faulty().stopAfter(1).run();
    }

    @Test
    void nameOfAFinding_runsItAlone() {
        String name = run().findings().get(0).trial();
        System.setProperty("kubeloop.trial", name);
        try {
            SimulationReport alone = run();
            assertThat(alone.findings()).extracting(Finding::trial).containsExactly(name);
            assertThat(alone.trials()).isEqualTo(Map.of(Perturbation.CRASH, 1));
            assertThat(alone.total()).isEqualTo(1);
        } finally {
            System.clearProperty("kubeloop.trial");
        }
    }
}
