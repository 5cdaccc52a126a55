/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What other components have set on an object of the user is not the operator's to remove. */
class ForeignMarksTest {

    private static final Workload WORKLOAD = Workload.builder()
            .apply("a card", Card.manifest("birthday", "hello", 1))
            .apply("another text", Card.manifest("birthday", "bye", 1))
            .delete("example.com/v1", "Card", "default", "birthday")
            .build();

    /** Operators that write a part of the metadata as if it were theirs, by the name of the trial that sees it. */
    @SuppressWarnings("ImmutableEnumChecker") // the changes have no state
    enum Greedy {
        FINALIZER(metadata -> metadata.finalizers(List.of(TestOperator.FINALIZER))),
        LABEL(metadata -> metadata.labels(Map.of("example.com/seen", "yes"))),
        ANNOTATION(metadata -> metadata.annotations(Map.of("example.com/seen", "yes"))),
        OWNER_REFERENCE(metadata -> metadata.ownerReferences(List.of()));

        private final UnaryOperator<ObjectMetaBuilder> change;

        Greedy(UnaryOperator<ObjectMetaBuilder> change) {
            this.change = change;
        }
    }

    private static SimulationReport run(TestOperator.Sync sync) {
        return Simulation.of(TestOperator.of(() -> sync))
                .definitions(Card.DEFINITION)
                .workload(WORKLOAD)
                .cluster(CardCollector::only)
                .perturbations(Set.of(Perturbation.FOREIGN))
                .run();
    }

    @ParameterizedTest
    @EnumSource
    void operatorThatOverwritesAPart_isFoundByItsMark(Greedy greedy) {
        SimulationReport report = run((op, key, card) -> {
            if (card == null) {
                return;
            }
            if (card.metadata().isDeleting()) {
                op.delete(TestOperator.named(key, "text"));
                op.release(card);
            } else {
                op.update(card, greedy.change);
                op.ensure(card, "text", Map.of());
            }
        });

        assertThat(report.findings()).as(report.text()).singleElement().satisfies(finding -> {
            String word = greedy.name().toLowerCase(Locale.ROOT).replace('_', '-');
            assertThat(finding.trial()).isEqualTo("foreign-" + word + ": cards.example.com default/birthday of step 1");
            assertThat(finding.problems().get(0))
                    .startsWith("the operator removed the " + word.replace('-', ' ') + " other.example.org/guard of"
                            + " another component from cards.example.com default/birthday with `update "
                            + "cards.example.com");
        });
    }

    @Test
    void operatorThatReleasesAllFinalizersAtTheEnd_isFound() {
        SimulationReport report = run((op, key, card) -> {
            if (card != null && !card.metadata().isDeleting()) {
                op.guard(card);
            } else if (card != null) {
                op.update(card, metadata -> metadata.finalizers(List.of()));
            }
        });

        assertThat(report.findings())
                .as(report.text())
                .extracting(Finding::trial)
                .containsExactly("foreign-finalizer: cards.example.com default/birthday of step 1");
    }

    /** An operator may copy the marks, wait for the others, and change its own finalizer. */
    @Test
    void operatorThatKeepsWhatIsNotItsOwn_passes() {
        SimulationReport report = run((op, key, card) -> {
            if (card == null) {
                return;
            }
            if (card.metadata().isDeleting()) {
                op.delete(TestOperator.named(key, "text"));
                op.release(card);
            } else if (!card.metadata().finalizers().contains(TestOperator.FINALIZER)) {
                op.guard(card);
            } else if (op.map(key, "text") == null) {
                op.ensure(card, "text", card.metadata().labels());
            }
        });

        report.assertClean();
        assertThat(report.trials()).containsEntry(Perturbation.FOREIGN, 4);
    }
}
