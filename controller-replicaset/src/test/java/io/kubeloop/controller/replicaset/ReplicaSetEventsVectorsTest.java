/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.testing.Vectors;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The golden vectors of the handlers: what each event puts into the queue, and what becomes of expectations. */
class ReplicaSetEventsVectorsTest {

    @TestFactory
    Stream<DynamicTest> replicaSetEvents() {
        return Vectors.tests(getClass(), "replicaset-events", vector -> new Run(vector).check());
    }

    private static final class Run {

        private final Map<String, Object> input;
        private final Map<String, Object> expected;
        private final Harness<ReplicaSet> harness;

        Run(Vectors.Case vector) {
            input = vector.input();
            expected = vector.expected();
            harness = new Harness<>(new ReplicaSetKind(), Instant.parse((String) input.get("now")), 500);
            Harness.objects(input, "replicaSets").forEach(json -> harness.owners.with(harness.owner(json)));
            Harness.objects(input, "pods").forEach(json -> harness.pods.with(Harness.pod(json)));
            Harness.objects(input, "expectationsBefore").forEach(harness::expect);
        }

        void check() {
            List<Map<String, @Nullable Object>> events = Harness.objects(input, "events");
            List<Map<String, @Nullable Object>> outcomes = Harness.objects(expected, "events");
            assertThat(events).hasSameSizeAs(outcomes);
            for (int i = 0; i < events.size(); i++) {
                deliver(events.get(i));
                Map<String, Object> outcome = new LinkedHashMap<>();
                outcome.put("enqueued", harness.queue.takeAdded());
                Map<String, Object> expectations = new LinkedHashMap<>();
                ((Map<?, ?>) outcomes.get(i).get("expectations"))
                        .keySet()
                        .forEach(key -> expectations.put((String) key, harness.expectationsOf((String) key)));
                outcome.put("expectations", expectations);
                assertThat(outcome).as("event %d", i).isEqualTo(outcomes.get(i));
            }
        }

        private void deliver(Map<String, @Nullable Object> event) {
            Object object = event.get("object");
            Object old = event.get("old");
            switch ((String) event.get("type")) {
                case "podAdd" -> harness.handlers.addPod(Harness.pod(object), false);
                case "podUpdate" -> harness.handlers.updatePod(Harness.pod(old), Harness.pod(object));
                case "podDelete" -> {
                    Pod pod = Harness.pod(object);
                    harness.handlers.deletePod(new DeletedObject.Observed<>(pod.objectName(), pod));
                }
                case "podDeleteTombstone" ->
                    harness.handlers.deletePod(new DeletedFinalStateUnknown<>(
                            ObjectName.parse((String) event.get("key")), object == null ? null : Harness.pod(object)));
                case "replicaSetAdd" -> harness.handlers.addRS(harness.owner(object));
                case "replicaSetUpdate" -> harness.handlers.updateRS(harness.owner(old), harness.owner(object));
                case "replicaSetDelete" -> {
                    ReplicaSet owner = harness.owner(object);
                    harness.handlers.deleteRS(new DeletedObject.Observed<>(owner.objectName(), owner));
                }
                case "replicaSetDeleteTombstone" ->
                    harness.handlers.deleteRS(new DeletedFinalStateUnknown<>(
                            ObjectName.parse((String) event.get("key")),
                            object == null ? null : harness.owner(object)));
                default -> throw new IllegalArgumentException("unknown event " + event);
            }
        }
    }
}
