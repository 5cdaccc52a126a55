/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.simulation.TestOperator.Sync;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two disturbances in one trial: neither may assume that it is alone. */
@Tag("stress")
class PairsTest {

    /** Each two forms of disturbances, in both orders, take about 700 trials, those of the profile stress. */
    private static final int TRIALS = Integer.getInteger("kubeloop.pairs", 8);

    /** Uses a finalizer and two maps that follow the text and the number of copies. */
    private static final Sync CORRECT = (op, key, card) -> {
        if (card == null) {
            return;
        }
        if (card.metadata().isDeleting()) {
            op.delete(TestOperator.named(key, "text"));
            op.release(card);
            return;
        }
        if (!card.metadata().finalizers().contains(TestOperator.FINALIZER)) {
            op.guard(card);
            return;
        }
        Map<String, String> text = Map.of("text", card.spec().text());
        ConfigMap map = op.map(key, "text");
        if (map == null) {
            op.ensure(card, "text", text);
        } else if (!map.data().equals(text)) {
            op.update(map, text);
        }
        op.status(card, 1, card.spec().text());
    };

    private static final Workload LIFE = Workload.builder()
            .apply("a card", Card.manifest("birthday", "hello", 1))
            .apply("another text", Card.manifest("birthday", "bye", 1))
            .delete("example.com/v1", "Card", "default", "birthday")
            .build();

    private static Simulation simulation(Subject subject, Workload workload) {
        return Simulation.of(subject)
                .definitions(Card.DEFINITION)
                .workload(workload)
                .cluster(CardCollector::only);
    }

    @Test
    void correctOperator_passesPairsOfAllForms() {
        SimulationReport report = simulation(
                        Subject.runner(
                                Card.CODEC,
                                runner -> runner.lease(new ObjectName("default", "cards"))
                                        .controller(context -> TestOperator.controller(context, CORRECT))),
                        LIFE)
                .perturbations(Set.of(Perturbation.COMBINED))
                .trials(TRIALS)
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.total()).isEqualTo(TRIALS);
    }

    /** The lifetime of a new card is over after an hour, whether the operator has seen the old card go or not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "replaced: cards.example.com default/birthday after step 1 + hour: after step 1",
                "replaced: cards.example.com default/birthday after step 1 + jump: after step 1"
            })
    void timeAfterAReplacement_isNotComparedWithLessTime(String pair) {
        SimulationReport report =
                FaultyOperators.TIMER_IN_MEMORY.correct().only(pair).run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.trials()).as(report.text()).containsEntry(Perturbation.COMBINED, 1);
    }

    /** In the run to compare with, the card is gone when the user wants to replace it. */
    @Test
    void replacementOfAnObjectThatIsBeingDeleted_isNone() {
        SimulationReport report = FaultyOperators.FINALIZER_BEFORE_CLEAN_UP
                .correct()
                .only("missed: state 3 of cards.example.com default/birthday"
                        + " + replaced: cards.example.com default/birthday after step 2")
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.total()).isEqualTo(1);
    }

    /** A crash while a second instance runs must not start a third one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "takeover: create configmaps default/birthday-text + crash-before: create configmaps "
                        + "default/birthday-text",
                "takeover: create configmaps default/birthday-text + crash-after: create configmaps "
                        + "default/birthday-text"
            })
    void crashBesideASecondInstance_leavesOne(String pair) {
        Subject cards = TestOperator.of(() -> CORRECT);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger besideTheLast = new AtomicInteger();
        SimulationReport report = simulation(
                        environment -> {
                            AutoCloseable instance = cards.start(environment);
                            besideTheLast.set(running.getAndIncrement());
                            return () -> {
                                running.decrementAndGet();
                                instance.close();
                            };
                        },
                        LIFE)
                .only(pair)
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.trials()).as(report.text()).containsEntry(Perturbation.COMBINED, 1);
        assertThat(besideTheLast).hasValue(0);
        assertThat(running).hasValue(0);
    }
}
