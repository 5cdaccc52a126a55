/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.simulation.TestOperator.Sync;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Trials of what other writers do meanwhile: a lease taken away, an object made again, refusals, bookmarks. */
class OutsideEventsTest {

    private static final ObjectName LEASE = new ObjectName("default", "cards");

    private static final String VANISHED = "vanished: create configmaps default/birthday-text";

    /** Two writes, so one of them follows the loss of the lease. */
    private static final Sync TWO_WRITES = (op, key, card) -> {
        if (card != null && op.map(key, "text") == null) {
            op.ensure(card, "text", Map.of("text", card.spec().text()));
        }
        if (card != null) {
            op.status(card, 1, "Done");
        }
    };

    private static Simulation simulation(Subject subject) {
        return Simulation.of(subject)
                .definitions(Card.DEFINITION)
                .workload(Workloads.CREATE)
                .cluster(CardCollector::only);
    }

    private static Subject elected(UnaryOperator<ControllerRunner.Builder> settings) {
        return Subject.runner(
                Card.CODEC,
                runner -> settings.apply(runner.lease(LEASE))
                        .controller(context -> TestOperator.controller(context, TWO_WRITES)));
    }

    @Test
    void lostLease_endsTheWritesOfARunner() {
        SimulationReport report = simulation(elected(UnaryOperator.identity()))
                .perturbations(Set.of(Perturbation.TIME))
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unreached())
                .doesNotContain(
                        "lease-lost: create configmaps default/birthday-text",
                        "lease-lost: update cards.example.com/status default/birthday");
    }

    @Test
    void writeAfterALostLease_isFound() {
        Subject careless =
                environment -> elected(runner -> runner.fencedClient(isLeading -> environment.client(Card.CODEC)))
                        .start(environment);
        SimulationReport report = simulation(careless)
                .only("lease-lost: create configmaps default/birthday-text")
                .run();
        assertThat(report.findings())
                .singleElement()
                // Which of its writes come too late depends on how far the instance was.
                .satisfies(finding -> assertThat(finding.problems())
                        .anyMatch(problem -> problem.startsWith("instance 0 sent `update cards.example.com/status ")
                                && problem.endsWith("` after it had lost its lease")));
    }

    private static SimulationReport replaced(Supplier<Sync> sync) {
        return simulation(TestOperator.of(sync))
                .perturbations(Set.of(Perturbation.MISSED))
                .run();
    }

    @Test
    void objectMadeAgain_getsTheSameState() {
        SimulationReport report = replaced(() -> TWO_WRITES);
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unreached()).noneMatch(trial -> trial.startsWith("replaced"));
    }

    /** It remembers names, and so does not notice that the garbage collector deletes the map of the old card. */
    @Test
    void memoryByName_isFound() {
        SimulationReport report = replaced(() -> {
            Set<ObjectName> done = ConcurrentHashMap.newKeySet();
            return (op, key, card) -> {
                if (card == null) {
                    done.remove(key);
                } else if (done.add(key)) {
                    op.ensure(card, "text", Map.of("text", card.spec().text()));
                }
            };
        });
        assertThat(report.findings())
                .extracting(Finding::trial)
                .contains("replaced: cards.example.com default/birthday after step 1");
    }

    @Test
    void objectDeletedBeforeTheAnswer_isMadeAgain() {
        SimulationReport report =
                simulation(TestOperator.of(() -> TWO_WRITES)).only(VANISHED).run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unreached()).isEmpty();
    }

    /** Whether it restores the object depends on the next event, not on the order of event and answer. */
    @Test
    void endThatAnOperatorIgnores_isNotCompared() {
        Sync once = (op, key, card) -> {
            if (card != null && card.status().phase().isEmpty()) {
                op.ensure(card, "text", Map.of("text", card.spec().text()));
                op.status(card, 1, "Done");
            }
        };
        SimulationReport report =
                simulation(TestOperator.of(() -> once)).only(VANISHED).run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unreached()).containsExactly(VANISHED);
    }

    @Test
    void instanceThatEndsByItself_isStartedAgainAFewTimes() {
        SimulationReport report = simulation(Subject.foreign(environment -> {
                    environment.ended("exit code 1");
                    return () -> {};
                }))
                .run();
        assertThat(report.findings().get(0).problems())
                .contains("instance 5 is the 6th that ended by itself: exit code 1");
        assertThat(report.findings().get(0).timeline())
                .extracting(Moment::kind)
                .filteredOn(Moment.Kind.STARTED::equals)
                .hasSize(6);
    }

    /** It writes the text into a map, and changes the map with it. */
    private static final Sync CURRENT_TEXT = (op, key, card) -> {
        ConfigMap map = op.map(key, "text");
        if (card != null && map == null) {
            op.ensure(card, "text", Map.of("text", card.spec().text()));
        } else if (card != null && map != null) {
            op.update(map, Map.of("text", card.spec().text()));
        }
    };

    @Test
    void unknownTrial_isRefused() {
        assertThatThrownBy(() -> simulation(TestOperator.of(() -> TWO_WRITES))
                        .only("crash-before: create configmaps default/nobody")
                        .run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("crash-before: create configmaps default/nobody");
    }

    /** What keeps an operator from its rest is what it repeats. */
    @Test
    void referenceThatDoesNotRest_beginsWithTheLastRefusal() {
        TestOperator.Sync restless = (op, key, card) -> {
            if (card != null) {
                op.queue().add(key);
                try {
                    op.ensure(card, "Not_A_Name", Map.of());
                } catch (ApiException e) {
                    assertThat(e.code()).isEqualTo(422);
                }
            }
        };
        SimulationReport report = simulation(TestOperator.of(() -> restless)).run();

        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.trial()).isEqualTo("reference");
            assertThat(finding.problems().get(0))
                    .startsWith("the last refused request: `create configmaps default/birthday-Not_A_Name` was answered"
                            + " with 422: ConfigMap \"birthday-Not_A_Name\" is invalid");
            assertThat(finding.problems()).anyMatch(problem -> problem.contains("come to rest"));
        });
    }

    /** The second disturbance must not keep what the first one has let go. */
    @Test
    void pairOfMissedStates_showsTheNextOnes() {
        String pair = "missed: state 1 of cards.example.com default/birthday"
                + " + missed: state 1 of configmaps default/birthday-text";
        SimulationReport report = Simulation.of(TestOperator.of(() -> CURRENT_TEXT))
                .definitions(Card.DEFINITION)
                .workload(Workloads.BACK_AND_FORTH)
                .only(pair)
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.planned()).isEqualTo(1);
    }

    /** Its state is right in the end, and yet its sync did what no answer of a server explains. */
    @Test
    void exceptionInASync_isFound() {
        SimulationReport report = simulation(TestOperator.of(() -> (op, key, card) -> {
                    try {
                        TWO_WRITES.sync(op, key, card);
                    } catch (ApiException e) {
                        throw e.isConflict() ? e : new NoSuchElementException("no answer", e);
                    }
                }))
                .only("server-error: create configmaps default/birthday-text")
                .run();
        assertThat(report.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.problems())
                        .containsExactly("the operator failed with \"java.util.NoSuchElementException\""));
    }

    @Test
    void deniedOperator_triesAgain() {
        SimulationReport report = simulation(TestOperator.of(() -> TWO_WRITES))
                .perturbations(Set.of(Perturbation.ANSWERS))
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unreached())
                .doesNotContain(
                        "denied: create configmaps default/birthday-text",
                        "watch-bookmark: state 1 of cards.example.com default/birthday");
    }
}
