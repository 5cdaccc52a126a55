/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The transitions of conditions, as of {@code meta.SetStatusCondition}. */
class ConditionsTest {

    private static final Instant T1 = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant T2 = T1.plusSeconds(60);

    private static Condition condition(String type, String status, String reason) {
        return new Condition(type, status, 3, null, reason, "text", UnknownFields.NONE);
    }

    private static Instant since(List<Condition> conditions, String type) {
        Condition found = Objects.requireNonNull(Conditions.find(conditions, type));
        return Objects.requireNonNull(found.lastTransitionTime()).instant();
    }

    private final List<Condition> first = Conditions.set(List.of(), condition("Ready", "False", "Starting"), T1);

    @Test
    void newCondition_isAppendedWithTheTime() {
        List<Condition> both = Conditions.set(first, condition("Bound", "True", "Bound"), T2);
        assertThat(both).extracting(Condition::type).containsExactly("Ready", "Bound");
        assertThat(since(both, "Ready")).isEqualTo(T1);
        assertThat(since(both, "Bound")).isEqualTo(T2);
        assertThat(Conditions.isTrue(both, "Bound")).isTrue();
        assertThat(Conditions.isTrue(both, "Ready")).isFalse();
        assertThat(Conditions.isTrue(both, "Absent")).isFalse();
    }

    @Test
    void sameStatus_keepsItsTimeAndTakesTheRest() {
        List<Condition> later = Conditions.set(first, condition("Ready", "False", "Pulling"), T2);
        assertThat(since(later, "Ready")).isEqualTo(T1);
        assertThat(later).extracting(Condition::reason).containsExactly("Pulling");
        assertThat(Conditions.set(later, condition("Ready", "False", "Pulling"), T2))
                .isEqualTo(later);
    }

    @Test
    void otherStatus_hasANewTimeAtTheSamePlace() {
        List<Condition> both = Conditions.set(first, condition("Bound", "True", "Bound"), T1);
        List<Condition> ready = Conditions.set(both, condition("Ready", "True", "Started"), T2);
        assertThat(ready).extracting(Condition::type).containsExactly("Ready", "Bound");
        assertThat(since(ready, "Ready")).isEqualTo(T2);
    }

    @Test
    void givenTime_isKept() {
        Condition timed = ConditionBuilder.builder(condition("Ready", "False", "Starting"))
                .lastTransitionTime(new Time(T2))
                .build();
        assertThat(since(Conditions.set(first, timed, T1), "Ready")).isEqualTo(T2);
    }

    @Test
    void remove_leavesOthers() {
        List<Condition> both = Conditions.set(first, condition("Bound", "True", "Bound"), T1);
        assertThat(Conditions.remove(both, "Ready")).extracting(Condition::type).containsExactly("Bound");
        assertThat(Conditions.find(Conditions.remove(both, "Ready"), "Ready")).isNull();
    }
}
