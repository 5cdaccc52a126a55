/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.simulation.TestOperator.Sync;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DeclarationsTest {

    private static SimulationReport simulate(Sync sync, UnaryOperator<ControlPlane.Builder> cluster) {
        return Simulation.of(TestOperator.of(() -> sync))
                .definitions(Card.DEFINITION)
                .workload(Workloads.CREATE)
                .declaration(Card.manifest("birthday", "hello", 2))
                .perturbations(Set.of(Perturbation.DECLARATIONS))
                .cluster(cluster)
                .run();
    }

    private static Map<String, String> data(Card card) {
        return Map.of(
                "text",
                card.spec().text(),
                "copies",
                Integer.toString(card.spec().copies()));
    }

    @Test
    void correctOperator_raisesNoAlarm() {
        SimulationReport report = simulate(
                (op, key, card) -> {
                    if (card != null && op.map(key, "text") == null) {
                        op.ensure(card, "text", data(card));
                    } else if (card != null && !op.map(key, "text").data().equals(data(card))) {
                        op.update(op.map(key, "text"), data(card));
                    }
                },
                CardCollector::only);
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.trials().get(Perturbation.DECLARATIONS)).isGreaterThan(8);
        assertThat(report.withoutEffect()).isEmpty();
    }

    @Test
    void remainderOfAnEarlierDeclaration_isFound() {
        SimulationReport report = simulate(
                (op, key, card) -> {
                    if (card != null && op.map(key, "text") == null) {
                        op.ensure(card, "text", Map.of(card.spec().text(), "on"));
                    } else if (card != null
                            && !op.map(key, "text")
                                    .data()
                                    .containsKey(card.spec().text())) {
                        Map<String, String> more =
                                new HashMap<>(op.map(key, "text").data());
                        more.put(card.spec().text(), "on");
                        op.update(op.map(key, "text"), more);
                    }
                },
                CardCollector::only);
        assertThat(report.findings()).extracting(Finding::trial).contains("declaration: .spec.text another text");
    }

    @Test
    void propertyWithoutAnEffect_isListed() {
        SimulationReport report = simulate(
                (op, key, card) -> {
                    if (card != null && op.map(key, "text") == null) {
                        op.ensure(card, "text", Map.of());
                    }
                },
                CardCollector::only);
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.withoutEffect()).contains(".spec.text another text", ".spec.copies one more");
    }

    @Test
    void whatIsLeftAfterADeletion_isFound() {
        SimulationReport report = simulate(
                (op, key, card) -> {
                    if (card != null) {
                        op.ensure(card, "text", Map.of()); // nothing collects it
                    }
                },
                plane -> plane.controllers("-*"));
        assertThat(report.findings()).extracting(Finding::trial).contains("declaration: deletion");
        assertThat(report.findings().get(0).problems())
                .contains("after the deletion, ConfigMap default/birthday-text is left");
    }
}
