/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An undisturbed run beside which trials would prove nothing is a failure with its reason. */
class FailedReferenceTest {

    private static Simulation simulation(TestOperator.Sync sync) {
        return Simulation.of(TestOperator.of(() -> sync))
                .definitions(Card.DEFINITION)
                .workload(Workloads.CREATE);
    }

    private static List<String> problems(Simulation simulation) {
        SimulationReport report = simulation.run();
        assertThat(report.findings())
                .as(report.text())
                .singleElement()
                .extracting(Finding::kind)
                .isEqualTo(Perturbation.NONE);
        assertThat(report.total()).isZero();
        return report.findings().get(0).problems();
    }

    /** Before, the status was no longer compared, and all trials passed. */
    @Test
    void declaredObjectThatDiffersBetweenRuns_isAFailure() {
        AtomicInteger number = new AtomicInteger();
        Simulation simulation = simulation((op, key, card) -> {
            if (card != null && card.status().phase().isEmpty()) {
                op.status(card, 1, "drawn " + number.incrementAndGet());
            }
        });
        assertThat(problems(simulation))
                .singleElement()
                .satisfies(problem -> assertThat(problem)
                        .startsWith(
                                "two undisturbed runs differ in Card default/birthday .status.phase, in an object that")
                        .contains("setting calm", "setting ignore"));
    }

    @Test
    void budgetThatTheUndisturbedRunsNeed_isAFailure() {
        assertThat(problems(simulation((op, key, card) -> {
                            if (card != null) {
                                op.status(card, 1, "Done");
                            }
                        })
                        .budget(Duration.ZERO)))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem).contains("and the budget is 0 s: allow more time (setting budget"));
    }

    /** The time is over when the second trial is to begin. */
    @Test
    void budgetThatEndsAfterOneTrial_namesTheFormsThatWereNotTried() {
        List<String> begun = new ArrayList<>();
        SimulationReport report = simulation((op, key, card) -> {
                    if (card != null) {
                        op.status(card, 1, "Done");
                    }
                })
                .perturbations(Set.of(Perturbation.TIME))
                .progress(begun::add)
                .nanoTime(() -> begun.size() > 1 ? Duration.ofDays(1).toNanos() : 0)
                .run();
        assertThat(begun).hasSize(2);
        assertThat(report.findings()).as(report.text()).isEmpty();
        assertThat(report.untried())
                .isNotEmpty()
                .doesNotContain(begun.get(1).substring(0, begun.get(1).indexOf(':')));
        assertThat(report.text()).startsWith("BUDGET TOO SMALL: no trial of ");
    }

    /** It swallows the error, so its state looks right. */
    @Test
    void operatorThatStillGetsErrorsAtTheEnd_isAFailure() {
        SimulationReport report = simulation((op, key, card) -> {
                    if (card != null) {
                        op.status(card, 1, "Done");
                        try {
                            op.client().transport().execute(ApiRequest.get("/apis/example.com/v1/envelopes", Map.of()));
                        } catch (ApiException e) {
                            assertThat(e.isNotFound()).isTrue();
                        }
                    }
                })
                .only("restart: after step 1")
                .run();
        assertThat(report.findings().get(0).problems())
                .anyMatch(problem -> problem.startsWith("restarted when everything was done, the operator still gets"
                        + " errors: `list envelopes.example.com` was answered with 404"));
    }
}
