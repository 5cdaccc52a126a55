/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each faulty operator is found, as the printed table shows, and the operator without the mistake raises no alarm. The
 * system property {@code kubeloop.trials} sets the number of trials of the latter; 40 in the profile {@code stress}.
 */
@Tag("stress")
@Execution(ExecutionMode.CONCURRENT)
class FaultyOperatorsTest {

    /** The number of trials of each correct operator. */
    private static final int TRIALS = Integer.getInteger("kubeloop.trials", 3);

    @ParameterizedTest
    @EnumSource
    void mistake_isFound(FaultyOperators operator) {
        SimulationReport report =
                operator.faulty().stopAfter(1).budget(Duration.ofMinutes(2)).run();
        assertThat(report.findings()).as(report.text()).isNotEmpty();
        System.out.printf(
                "| %s | %s | %d ms |%n",
                operator, report.findings().get(0).trial(), report.took().toMillis());
    }

    @ParameterizedTest
    @EnumSource
    void operatorWithoutTheMistake_raisesNoAlarm(FaultyOperators operator) {
        operator.correct().trials(TRIALS).run().assertClean();
    }

    /** A conflict means a change, and who watches the object learns of the change. */
    @Test
    void conflictOnAWatchedObject_mayBeDropped() {
        TestOperator.Sync sync = FaultyOperators.droppingConflicts(FaultyOperators::keepTextAndReport);
        SimulationReport report = Simulation.of(TestOperator.of(() -> sync))
                .definitions(Card.DEFINITION)
                .workload(Workloads.CHANGE)
                .perturbations(EnumSet.of(Perturbation.ANSWERS))
                .run();
        assertThat(report.trials()).containsKey(Perturbation.ANSWERS);
        assertThat(report.findings()).as(report.text()).isEmpty();
    }
}
