package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The backoffs against what upstream does: flow-backoff (FC-03 to FC-05) and wait-backoff (RT-02, RT-03). */
class BackoffVectorsTest {

    @TestFactory
    Stream<DynamicTest> flowBackoff() {
        return Vectors.tests(getClass(), "flow-backoff", BackoffVectorsTest::checkFlow);
    }

    @SuppressWarnings("unchecked")
    private static void checkFlow(Vectors.Case vector) {
        ManualClock clock = new ManualClock(Instant.EPOCH);
        Backoff<String> backoff = new Backoff<>(
                millis(vector.input().get("initialMs")), millis(vector.input().get("maxMs")), clock);
        List<Map<String, Object>> results = new ArrayList<>();
        for (Map<String, Object> op : (List<Map<String, Object>>) vector.input().get("ops")) {
            results.add(run(backoff, clock, op));
        }
        assertThat(results).isEqualTo(vector.expected().get("results"));
    }

    private static Map<String, Object> run(Backoff<String> backoff, ManualClock clock, Map<String, Object> op) {
        Map<String, Object> result = new LinkedHashMap<>();
        String id = (String) op.get("id");
        switch ((String) op.get("op")) {
            case "next" -> backoff.next(id, clock.instant());
            case "inBackOff" ->
                result.put(
                        "inBackOff",
                        backoff.isInBackOffSince(id, clock.instant().minus(millis(op.get("ms")))));
            case "inBackOffSinceUpdate" -> result.put("inBackOff", backoff.isInBackOffSinceUpdate(id, clock.instant()));
            case "reset", "deleteEntry" -> backoff.reset(id);
            case "gc" -> backoff.gc();
            case "advance" -> {
                clock.advance(millis(op.get("ms")));
                return result;
            }
            default -> throw new IllegalArgumentException("unknown operation: " + op);
        }
        result.put("getMs", BigDecimal.valueOf(backoff.get(id).toMillis()));
        return result;
    }

    private static Duration millis(Object number) {
        return Duration.ofMillis(((BigDecimal) number).longValueExact());
    }

    @TestFactory
    Stream<DynamicTest> waitBackoff() {
        return Vectors.tests(getClass(), "wait-backoff", BackoffVectorsTest::checkWait);
    }

    private static void checkWait(Vectors.Case vector) {
        Map<String, Object> input = vector.input();
        BackoffSteps backoff = new BackoffSteps(
                GoDurations.parse(input.get("duration")),
                ((BigDecimal) input.get("factor")).doubleValue(),
                0,
                ((BigDecimal) input.get("steps")).intValueExact(),
                GoDurations.parse(input.getOrDefault("cap", "0s")));
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
