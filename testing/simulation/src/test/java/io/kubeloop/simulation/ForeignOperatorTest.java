/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.Outcome;
import io.kubeloop.simulation.trial.RunControl;
import io.kubeloop.simulation.trial.Setup;
import io.kubeloop.simulation.trial.TrialRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
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
                .cluster(CardCollector::only)
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

    /** An operator that has not run before is slow: the state after its first step is read too early. */
    @Test
    void stateThatIsReadTooEarly_isNotUnstable() {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Subject cards = Subject.foreign(environment -> {
            Duration delay = Duration.ofMillis(isFirst.getAndSet(false) ? 400 : 1);
            return TestOperator.of(() -> slow(delay)).start(environment);
        });
        SimulationReport report = Simulation.of(cards)
                .definitions(Card.DEFINITION)
                .workload(Workloads.DELETE)
                .perturbations(Set.of(Perturbation.TIME))
                .cluster(CardCollector::only)
                .calm(Duration.ofMillis(100))
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.unstable()).isEmpty();
    }

    /** The operator answers in its own time what an effect has shown it when all was quiet. */
    @Test
    void answerToALateEvent_belongsToTheStep() {
        Setup setup = new Setup(
                Subject.foreign(TestOperator.of(() -> slow(Duration.ofMillis(30)))),
                List.of(Card.DEFINITION),
                Workloads.CREATE,
                Map.of(),
                UnaryOperator.identity(),
                Duration.ofMillis(200),
                false);
        Outcome outcome = TrialRun.of(setup, new SecondCard(), null, path -> false);
        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.states().get(0).objects())
                .containsKeys("ConfigMap default/birthday-text", "ConfigMap default/wedding-text");
    }

    /** The operator sees late that its card is gone, and what it then creates is deleted by the garbage collector. */
    @Test
    void creationForAnOwnerThatIsGone_isNotTooMuch() {
        Subject late = Subject.foreign(TestOperator.of(() -> {
            AtomicReference<Card> last = new AtomicReference<>();
            return (op, key, card) -> {
                Card known = card == null ? last.get() : card;
                if (known != null) {
                    op.ensure(known, card == null ? "late" : "text", Map.of());
                }
                last.set(card);
            };
        }));
        Setup setup = new Setup(
                late,
                List.of(Card.DEFINITION),
                Workloads.DELETE,
                Map.of(),
                CardCollector::only,
                Duration.ofMillis(100),
                false);
        Outcome outcome = TrialRun.of(setup, Disturbance.NONE, null, path -> false);
        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.recording().writes())
                .filteredOn(write -> write.object().equals("configmaps default/birthday-late"))
                .singleElement()
                .satisfies(write -> {
                    assertThat(write.code()).isEqualTo(201);
                    assertThat(write.isEffective()).isFalse();
                });
        assertThat(outcome.end().objects()).isEmpty();
    }

    /** The next step repairs what the crash has left undone, so only the state between the steps shows it. */
    @Test
    void workThatIsLostUntilTheNextStep_isFound() {
        Subject statusFirst = Subject.foreign(TestOperator.of(() -> (op, key, card) -> {
            if (card != null && !card.status().phase().equals(card.spec().text())) {
                op.status(card, 1, card.spec().text());
                op.ensure(card, "text", Map.of());
            }
        }));
        SimulationReport report = Simulation.of(statusFirst)
                .definitions(Card.DEFINITION)
                .workload(Workloads.CHANGE)
                .only("crash-after: update cards.example.com/status default/birthday")
                .calm(Duration.ofMillis(20))
                .run();
        assertThat(report.findings())
                .as(report.text())
                .singleElement()
                .satisfies(finding -> assertThat(finding.problems())
                        .anyMatch(problem -> problem.startsWith(
                                "after the step \"hello 1\", ConfigMap default/birthday-text: missing")));
    }

    /** Where it does not rest, a state says nothing; the outcome names the step. */
    @Test
    void stepWithoutRest_isNamed() {
        Subject restless = Subject.foreign(environment -> {
            AtomicBoolean polls = new AtomicBoolean();
            AtomicBoolean isClosed = new AtomicBoolean();
            AutoCloseable operator = TestOperator.of(() -> (op, key, card) -> {
                        if (card != null && polls.compareAndSet(false, true)) {
                            Thread poller = new Thread(() -> {
                                while (!isClosed.get()) {
                                    op.client().resource(Card.CARDS).get(key);
                                }
                            });
                            poller.setDaemon(true);
                            poller.start();
                        }
                    })
                    .start(environment);
            return () -> {
                isClosed.set(true);
                operator.close();
            };
        });
        Outcome outcome = TrialRun.of(setup(restless), Disturbance.NONE, null, path -> false);
        assertThat(outcome.restless()).containsExactly(0);
    }

    private static Setup setup(Subject subject) {
        return new Setup(
                subject,
                List.of(Card.DEFINITION),
                Workloads.CREATE,
                Map.of(),
                UnaryOperator.identity(),
                Duration.ofMillis(300),
                false);
    }

    /** It may have lost the work, or try again in an hour; no trial waits for so long. */
    @Test
    void operatorThatGoesOnAfterARestart_isLate() {
        Subject forgetful = Subject.foreign(TestOperator.of(() -> (op, key, card) -> {
            if (card != null && op.map(key, "text") == null) {
                try {
                    op.ensure(card, "text", Map.of());
                } catch (ApiException e) {
                    assertThat(e.code()).isEqualTo(500);
                }
            }
        }));
        String trial = "server-error: create configmaps default/birthday-text";
        SimulationReport report = Simulation.of(forgetful)
                .definitions(Card.DEFINITION)
                .workload(Workloads.CREATE)
                .only(trial)
                .calm(Duration.ofMillis(20))
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.late()).containsExactly(trial);
    }

    /** Returns an operator that makes a config map for each card on a thread that no clock counts. */
    private static TestOperator.Sync slow(Duration delay) {
        Executor later = CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
        return (op, key, card) -> {
            if (card != null && op.map(key, "text") == null) {
                later.execute(() -> op.ensure(card, "text", Map.of("text", "hello")));
            }
        };
    }

    /** Creates another card when all is quiet and the operator has done its work for the first one. */
    private record SecondCard() implements Disturbance {

        @Override
        public Perturbation kind() {
            return Perturbation.MISSED;
        }

        @Override
        public String form() {
            return "second-card";
        }

        @Override
        public String name() {
            return form();
        }

        @Override
        public String story() {
            return "given another card";
        }

        @Override
        public Effect begin(RunControl run) {
            AtomicBoolean isDone = new AtomicBoolean();
            ResourceClient<ConfigMap> maps =
                    KubeClient.of(run.plane().transport(), Card.CODEC).resource(ResourceTypes.CONFIG_MAPS);
            return new Effect() {
                @Override
                public boolean atQuiet() {
                    boolean isMade = maps.list("default", ListOptions.NONE).items().stream()
                            .anyMatch(map -> map.metadata().name().equals("birthday-text"));
                    if (!isMade || isDone.getAndSet(true)) {
                        return false;
                    }
                    run.plane()
                            .apply(
                                    "another card",
                                    new ByteArrayInputStream(
                                            Card.manifest("wedding", "hello", 1).getBytes(StandardCharsets.UTF_8)));
                    return true;
                }
            };
        }
    }

    private static void print(Path log, String text) {
        try {
            Files.writeString(log, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
