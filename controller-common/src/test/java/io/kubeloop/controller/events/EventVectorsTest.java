/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventSource;
import io.kubeloop.controller.events.correlation.EventCorrelator;
import io.kubeloop.controller.events.write.DefaultEventRecorder;
import io.kubeloop.controller.events.write.EventBacklog;
import io.kubeloop.controller.events.write.EventWriter;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The golden vectors of events: recorder, correlator and writer against a scripted sink (EV-02, EV-10 to EV-22). */
class EventVectorsTest {

    @TestFactory
    Stream<DynamicTest> events() {
        return Vectors.tests(
                getClass(),
                "events",
                vector -> new Run(vector.input())
                        .check((List<?>) vector.expected().get("results")));
    }

    @SuppressWarnings("unchecked")
    private static final class Run {

        private final ScriptedSink sink = new ScriptedSink();
        private final List<Event> made = new ArrayList<>();
        private final List<Map<String, Object>> steps;
        private final ManualClock clock;
        private final EventBacklog backlog;
        private final EventWriter writer;
        private final DefaultEventRecorder recorder;

        Run(Map<String, Object> input) {
            steps = (List<Map<String, Object>>) input.get("steps");
            clock = new ManualClock(Instant.parse((String) input.get("start")));
            Map<String, String> source = (Map<String, String>) input.get("source");
            recorder = new DefaultEventRecorder(
                    new EventSource(source.get("component"), source.get("host"), UnknownFields.NONE), clock, made::add);
            backlog = new EventBacklog(new EventCorrelator(options((Map<String, Object>) input.get("options")), clock));
            writer = new EventWriter(backlog, sink, duration -> true, Duration.ZERO, () -> 0.5, System::nanoTime);
        }

        private static EventCorrelatorOptions options(Map<String, Object> json) {
            EventCorrelatorOptions defaults = EventCorrelatorOptions.DEFAULT;
            return new EventCorrelatorOptions(
                    number(json, "lruCacheSize", defaults.cacheSize()),
                    number(json, "burstSize", defaults.spamBurst()),
                    json.get("qps") instanceof BigDecimal qps
                            ? Duration.ofNanos(Math.round(1e9 / qps.doubleValue()))
                            : defaults.spamRefill(),
                    number(json, "maxEvents", defaults.aggregateFrom()),
                    Duration.ofSeconds(number(json, "maxIntervalInSeconds", (int)
                            defaults.aggregateWithin().toSeconds())));
        }

        void check(List<?> expected) throws InterruptedException {
            List<Object> results = new ArrayList<>();
            for (int i = 0; i < steps.size(); i++) {
                Map<String, Object> step = steps.get(i);
                clock.advance(Duration.ofMillis(number(step, "advanceMs", 0)));
                if (Boolean.TRUE.equals(step.get("dropStored"))) {
                    sink.dropStored();
                }
                sink.setFaults((List<Map<String, Object>>) step.getOrDefault("faults", List.of()));
                if (step.containsKey("object")) {
                    results.add(Map.of("step", BigDecimal.valueOf(i), "repetitions", repetitions(step)));
                }
            }
            assertThat(results).isEqualTo(expected);
        }

        private List<Object> repetitions(Map<String, Object> step) throws InterruptedException {
            List<Object> repetitions = new ArrayList<>();
            int from = number(step, "from", 0);
            for (int i = from; i < from + number(step, "times", 1); i++) {
                report(step, ((String) step.get("message")).replace("{i}", Integer.toString(i)));
                if (made.isEmpty()) {
                    repetitions.add(Map.of("notReported", "bad type"));
                } else {
                    backlog.add(made.remove(0));
                    Event event = backlog.poll();
                    if (event != null) {
                        writer.write(event);
                    }
                    repetitions.add(Map.of("calls", sink.takeCalls()));
                }
                clock.advance(Duration.ofMillis(number(step, "gapMs", 0)));
            }
            return repetitions;
        }

        private void report(Map<String, Object> step, String message) {
            ObjectReference regarding = EventVectorObjects.reference((Map<String, Object>) step.get("object"), "");
            recorder.annotatedEvent(
                    regarding,
                    (Map<String, String>) step.getOrDefault("annotations", Map.of()),
                    (String) step.get("type"),
                    (String) step.get("reason"),
                    message);
        }

        private static int number(Map<String, Object> json, String member, int otherwise) {
            return json.get(member) instanceof BigDecimal number ? number.intValueExact() : otherwise;
        }
    }
}
