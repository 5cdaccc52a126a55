/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.simulation.state.EndState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrialVerdictTest {

    private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

    private static Recording.Write write(int number, long millis, int code) {
        return new Recording.Write(
                START.plusMillis(millis),
                new CallId("update cards default/a", number),
                Call.Verb.UPDATE,
                0,
                code,
                code == 200,
                "cards default/a",
                "u",
                0,
                number);
    }

    private static Outcome outcome(List<Recording.Write> writes, int idleFrom, int dayFrom) {
        return outcome(writes, idleFrom, dayFrom, writes.size() + 1, Set.of());
    }

    private static Outcome outcome(
            List<Recording.Write> writes, int idleFrom, int dayFrom, int requests, Set<String> errors) {
        Recording recording = new Recording(writes, Map.of(), List.of(), List.of(), false, requests, "", "");
        EndState empty = EndState.of(List.of(), Set.of());
        return new Outcome(
                List.of(empty, empty),
                List.of(),
                List.of(),
                recording,
                idleFrom,
                dayFrom,
                Map.of(),
                List.of(),
                errors,
                List.of(),
                false,
                true);
    }

    private static List<String> problems(Outcome outcome) {
        return TrialVerdict.of(outcome(List.of(), 0, 0), outcome, Disturbance.NONE, path -> false)
                .problems();
    }

    @Test
    void writeOnTheNextDay_isAProblem() {
        assertThat(problems(outcome(List.of(write(1, 0, 200)), 1, 1))).isEmpty();
        assertThat(problems(outcome(List.of(write(1, 0, 200)), 0, 0)))
                .containsExactly(
                        "the operator did not come to rest: on the next day, it wrote " + "`update cards default/a`");
        assertThat(problems(outcome(List.of(write(1, 0, 200)), 0, 1)))
                .containsExactly("the operator did not come to rest: restarted when everything was done, it wrote "
                        + "`update cards default/a`");
    }

    /** With a backoff from 5 ms on, failures soon take minutes; without one, 20 ms each. */
    @Test
    void repetitionWithoutABackoff_isAProblem() {
        List<Recording.Write> patient = new ArrayList<>();
        List<Recording.Write> hasty = new ArrayList<>();
        for (int i = 0; i < 45; i++) {
            patient.add(write(i + 1, 5L << i, 409));
            hasty.add(write(i + 1, 20L * i, 409));
        }
        assertThat(problems(outcome(patient, 45, 45))).isEmpty();
        assertThat(problems(outcome(hasty, 45, 45)))
                .containsExactly("the operator repeated `update cards default/a` without a backoff, 45 failures in a "
                        + "second");
    }

    @Test
    void operatorWithoutRequests_isAProblemAndItsErrorsTellWhy() {
        Outcome silent = outcome(List.of(), 0, 0, 0, Set.of("IllegalStateException: no compiler"));
        assertThat(TrialVerdict.ofReference(silent).problems())
                .containsExactly(
                        "the operator sent no request",
                        "the operator failed with \"IllegalStateException: no compiler\"");
    }
}
