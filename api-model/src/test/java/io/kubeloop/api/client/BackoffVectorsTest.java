/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.value.GoDuration;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The steps of a backoff against what upstream does: wait-backoff (RT-02, RT-03). */
class BackoffVectorsTest {

    @TestFactory
    Stream<DynamicTest> waitBackoff() {
        return Vectors.tests(getClass(), "wait-backoff", BackoffVectorsTest::checkWait);
    }

    private static void checkWait(Vectors.Case vector) {
        Map<String, Object> input = vector.input();
        BackoffSteps backoff = new BackoffSteps(
                GoDuration.parse((String) input.get("duration")),
                ((BigDecimal) input.get("factor")).doubleValue(),
                0,
                ((BigDecimal) input.get("steps")).intValueExact(),
                GoDuration.parse((String) input.getOrDefault("cap", "0s")));
        List<Map<String, Object>> steps = new ArrayList<>();
        for (int i = 0; i < ((BigDecimal) input.get("calls")).intValueExact(); i++) {
            Duration step = backoff.delay(() -> {
                throw new AssertionError("there is no jitter to throw dice for");
            });
            backoff = backoff.next();
            steps.add(Map.of(
                    "stepNanos", BigDecimal.valueOf(step.toNanos()),
                    "durationAfterNanos", BigDecimal.valueOf(backoff.duration().toNanos()),
                    "stepsLeft", BigDecimal.valueOf(backoff.steps())));
        }
        assertThat(steps).isEqualTo(vector.expected().get("steps"));
    }
}
