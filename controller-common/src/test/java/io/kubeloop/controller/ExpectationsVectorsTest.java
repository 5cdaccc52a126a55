/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.expectations.ControlleeExpectations;
import io.kubeloop.controller.expectations.ControllerExpectations;
import io.kubeloop.controller.expectations.UidTrackingControllerExpectations;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The golden vectors of both kinds of expectations. */
class ExpectationsVectorsTest {

    @TestFactory
    Stream<DynamicTest> expectations() {
        return Vectors.tests(getClass(), "expectations", vector -> new Run(vector).check());
    }

    @SuppressWarnings("unchecked")
    private static final class Run {

        private final ManualClock clock = new ManualClock(Instant.parse("2021-01-01T00:00:00Z"));
        private final ControllerExpectations counters = new ControllerExpectations(clock);
        private final UidTrackingControllerExpectations tracking = new UidTrackingControllerExpectations(counters);
        private final Set<String> keys = new TreeSet<>();
        private final Vectors.Case vector;
        private final boolean tracksUids;

        Run(Vectors.Case vector) {
            this.vector = vector;
            this.tracksUids = "uidTracking".equals(vector.input().get("kind"));
        }

        void check() {
            List<Map<String, Object>> ops =
                    (List<Map<String, Object>>) vector.input().get("ops");
            List<Object> states = (List<Object>) vector.expected().get("states");
            for (int i = 0; i < ops.size(); i++) {
                apply(ops.get(i));
                assertThat(state()).as("after operation %d: %s", i, ops.get(i)).isEqualTo(states.get(i));
            }
        }

        private void apply(Map<String, Object> op) {
            if (op.get("op").equals("advance")) {
                clock.advance(Duration.ofSeconds(number(op, "seconds")));
                return;
            }
            keys.add((String) op.get("key"));
            ObjectName key = ObjectName.parse((String) op.get("key"));
            switch ((String) op.get("op")) {
                case "set" -> counters.setExpectations(key, number(op, "add"), number(op, "del"));
                case "expectCreations" -> counters.expectCreations(key, number(op, "add"));
                case "expectDeletions" -> {
                    if (tracksUids) {
                        List<String> pods = (List<String>) op.get("pods");
                        tracking.expectDeletions(
                                key, pods.stream().map(ObjectName::parse).toList());
                    } else {
                        counters.expectDeletions(key, number(op, "del"));
                    }
                }
                case "creationObserved" -> tracking.creationObserved(key);
                case "deletionObserved" -> {
                    if (tracksUids) {
                        tracking.deletionObserved(key, ObjectName.parse((String) op.get("pod")));
                    } else {
                        counters.deletionObserved(key);
                    }
                }
                case "raise" -> counters.raiseExpectations(key, number(op, "add"), number(op, "del"));
                case "lower" -> counters.lowerExpectations(key, number(op, "add"), number(op, "del"));
                case "delete" -> tracking.deleteExpectations(key);
                case "check" -> assertThat(keys).contains((String) op.get("key"));
                default -> throw new IllegalArgumentException("unknown operation " + op);
            }
        }

        private Map<String, Object> state() {
            Map<String, Object> all = new TreeMap<>();
            for (String text : keys) {
                ObjectName key = ObjectName.parse(text);
                ControlleeExpectations expected = tracking.get(key);
                Map<String, @Nullable Object> state = new LinkedHashMap<>();
                state.put("add", expected == null ? null : BigDecimal.valueOf(expected.add()));
                state.put("del", expected == null ? null : BigDecimal.valueOf(expected.del()));
                state.put("satisfied", tracking.isSatisfied(key));
                if (expected != null) {
                    state.put("fulfilled", expected.isFulfilled());
                }
                if (tracksUids) {
                    Set<ObjectName> pending = tracking.pendingDeletions(key);
                    state.put(
                            "pendingDeletions",
                            pending == null
                                    ? null
                                    : pending.stream()
                                            .map(ObjectName::toString)
                                            .sorted()
                                            .toList());
                }
                all.put(text, state);
            }
            return all;
        }

        private static int number(Map<String, Object> op, String member) {
            return op.get(member) instanceof BigDecimal number ? number.intValueExact() : 0;
        }
    }
}
