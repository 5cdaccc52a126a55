/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A restart with stale lists must not cost a living card its data, even if the data is made again. */
class StaleDeletionTest {

    private static final Workload AGAIN = Workload.builder()
            .apply("a card", Card.manifest("birthday", "hello", 1))
            .delete("example.com/v1", "Card", "default", "birthday")
            .apply("the card again", Card.manifest("birthday", "hello", 1))
            .build();

    /** The instance sees the first card again, which is being deleted. */
    private static final String STALE = "stale-4: create configmaps default/birthday-data (number 2)";

    /** Only the cards are those of the moment at which the first card is being deleted; the maps are current. */
    private static final String STALE_CARDS =
            "stale-5-cards.example.com: create configmaps default/birthday-data (number 2)";

    private static SimulationReport run(TestOperator.Sync cleanup) {
        return run(STALE, cleanup);
    }

    private static SimulationReport run(String trial, TestOperator.Sync cleanup) {
        return Simulation.of(TestOperator.of(() -> (op, key, card) -> {
                    if (card != null && card.metadata().isDeleting()) {
                        cleanup.sync(op, key, card);
                        op.release(card);
                    } else if (card != null && !card.metadata().finalizers().contains(TestOperator.FINALIZER)) {
                        op.guard(card);
                    } else if (card != null && op.map(key, "data") == null) {
                        op.createAlone(card, "data");
                    }
                }))
                .definitions(Card.DEFINITION)
                .workload(AGAIN)
                .only(trial)
                .run();
    }

    @Test
    void dataThatIsDeletedAndMadeAgain_isFound() {
        SimulationReport report = run((op, key, card) -> op.delete(TestOperator.named(key, "data")));

        assertThat(report.findings())
                .as(report.text())
                .singleElement()
                .satisfies(finding -> assertThat(finding.problems())
                        .containsExactly("configmaps default/birthday-data was deleted once too often"));
        assertThat(report.text())
                .contains(" user: step \"the card again\"\n")
                .contains(" user: apply cards.example.com default/birthday -> 201\n")
                .contains(
                        " trial: the operator is restarted after `create configmaps default/birthday-data (number 2)`")
                .contains(" instance 1: delete configmaps default/birthday-data -> 200\n");
    }

    /** The map that the cache still shows is that of the old card; a newer one belongs to a newer card. */
    @Test
    void dataThatIsDeletedByItsUid_passes() {
        run((op, key, card) -> {
                    if (op.map(key, "data") != null && op.isCurrent(card)) {
                        op.delete(op.map(key, "data"));
                    }
                })
                .assertClean();
    }

    /** Neither lists that are behind in all resources nor cards as they were at the start show the mistake. */
    @Test
    void dataThatTheCacheOfTheMapsShows_isDeletedForAnOldCard() {
        SimulationReport report = run(STALE_CARDS, (op, key, card) -> {
            if (op.map(key, "data") != null) {
                op.delete(op.map(key, "data"));
            }
        });

        assertThat(report.findings())
                .as(report.text())
                .singleElement()
                .satisfies(finding -> assertThat(finding.problems())
                        .containsExactly("configmaps default/birthday-data was deleted once too often"));
    }

    @Test
    void dataThatIsDeletedForACardThatStillIs_passes() {
        run(STALE_CARDS, (op, key, card) -> {
                    if (op.map(key, "data") != null && op.isCurrent(card)) {
                        op.delete(op.map(key, "data"));
                    }
                })
                .assertClean();
    }
}
