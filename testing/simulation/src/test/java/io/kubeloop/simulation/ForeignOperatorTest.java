/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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
                .perturbations(Set.of(Perturbation.STALE, Perturbation.TIME, Perturbation.MISSED))
                .cluster(builder -> builder.controllers("garbage-collector-controller"))
                .calm(Duration.ofMillis(1))
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unstable()).isEmpty();
        assertThat(report.total()).isPositive();
    }

    /** Its state is right in the end, and yet it did what no answer of a server explains. */
    @Test
    void exceptionInTheOutput_isFound() {
        Subject careless = Subject.foreign(environment -> {
            Path log = environment.log();
            return TestOperator.of(() -> (op, key, card) -> {
                        try {
                            if (card != null && op.map(key, "text") == null) {
                                op.ensure(card, "text", Map.of());
                            }
                        } catch (ApiException e) {
                            print(log, "cannot reconcile\njava.lang.NullPointerException: x\n\tat a.B.c(B.java:3)\n");
                            throw e;
                        }
                    })
                    .start(environment);
        });
        SimulationReport report = Simulation.of(careless)
                .definitions(Card.DEFINITION)
                .workload(Workloads.CREATE)
                .only("server-error: create configmaps default/birthday-text")
                .calm(Duration.ofMillis(20))
                .run();
        assertThat(report.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.problems())
                        .containsExactly("the operator failed with \"java.lang.NullPointerException\""));
    }

    /** A program that needs longer at its first start has not failed. */
    @Test
    void slowFirstInstance_isNoFailure() {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Subject cards = TestOperator.of(() -> (op, key, card) -> {
            if (card != null) {
                op.status(card, 1, "Done");
            }
        });
        SimulationReport report = Simulation.of(Subject.foreign(environment -> {
                    if (isFirst.getAndSet(false)) {
                        environment.client(Card.CODEC).resource(Card.CARDS).list("default", ListOptions.NONE);
                        return () -> {}; // it does nothing in time
                    }
                    return cards.start(environment);
                }))
                .definitions(Card.DEFINITION)
                .workload(Workloads.CREATE)
                .perturbations(Set.of(Perturbation.TIME))
                .calm(Duration.ofMillis(20))
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unstable()).isEmpty();
    }

    private static void print(Path log, String text) {
        try {
            Files.writeString(log, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
