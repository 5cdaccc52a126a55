/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForeignOperatorTest {

    /** The collector deletes the map after the last request of the operator, which is idle then. */
    @Test
    void run_waitsForTheControllersToo() {
        SimulationReport report = Simulation.of(Subject.foreign(TestOperator.of(() -> (op, key, card) -> {
                    if (card != null && op.map(key, "text") == null) {
                        op.ensure(card, "text", Map.of("text", card.spec().text()));
                    }
                })))
                .definitions(Card.DEFINITION)
                .workload(Workloads.DELETE)
                .perturbations(Set.of(Perturbation.STALE, Perturbation.TIME))
                .cluster(builder -> builder.controllers("garbage-collector-controller"))
                .calm(Duration.ofMillis(1))
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unstable()).isEmpty();
        assertThat(report.total()).isPositive();
    }
}
