/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.core.PodCondition;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.fake.Action;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The golden vectors of one sync: every write, event, expectation and requeue. */
class ReplicaSetSyncVectorsTest {

    @TestFactory
    Stream<DynamicTest> replicaSetSync() {
        return Vectors.tests(getClass(), "replicaset-sync", vector -> new Run(vector).check());
    }

    private static final class Run {

        private final Map<String, Object> input;
        private final Map<String, Object> expected;
        private final Harness<ReplicaSet> harness;

        Run(Vectors.Case vector) {
            input = vector.input();
            expected = vector.expected();
            List<Map<String, @Nullable Object>> before = new ArrayList<>(Harness.objects(input, "expectationsBefore"));
            before.sort(Comparator.comparingInt(Run::age).reversed());
            int oldest = before.isEmpty() ? 0 : age(before.get(0));
            Instant now = Instant.parse((String) input.get("now"));
            harness = new Harness<>(
                    new ReplicaSetKind(),
                    now.minusSeconds(oldest),
                    Harness.number(input, "burstReplicas", ReplicaSetControllerConfig.DEFAULT.burstReplicas()));
            for (Map<String, @Nullable Object> expectation : before) {
                harness.clock.advance(Duration.between(harness.clock.instant(), now.minusSeconds(age(expectation))));
                harness.expect(expectation);
            }
            harness.clock.advance(Duration.between(harness.clock.instant(), now));
            fill();
        }

        private static int age(Map<String, @Nullable Object> expectation) {
            return Harness.number(expectation, "ageSeconds", 0);
        }

        private void fill() {
            List<Map<String, @Nullable Object>> cached = Harness.objects(input, "replicaSets");
            boolean liveGiven = Boolean.TRUE.equals(input.get("liveGiven"));
            cached.forEach(json -> harness.owners.with(harness.owner(json)));
            (liveGiven ? Harness.objects(input, "liveReplicaSets") : cached)
                    .forEach(json -> harness.server.with("replicasets", json));
            for (Map<String, @Nullable Object> json : Harness.objects(input, "pods")) {
                harness.pods.with(Harness.pod(json));
                harness.server.with("pods", json);
            }
            Harness.objects(input, "apiErrors").forEach(json -> harness.server.with(Fault.fromVector(json)));
        }

        void check() {
            String error = sync();
            assertThat(error).as("error").isEqualTo(expected.get("error"));
            assertThat(created()).as("created").isEqualTo(normal(expected.get("created")));
            assertThat(deleted()).as("deleted").isEqualTo(expected.get("deleted"));
            assertThat(patches()).as("patches").isEqualTo(expected.get("patches"));
            assertThat(normal(statusUpdates())).as("statusUpdates").isEqualTo(normal(expected.get("statusUpdates")));
            assertThat(BigDecimal.valueOf(
                            harness.server.actions("get", "replicasets").size()))
                    .as("replicaSetGets")
                    .isEqualTo(expected.get("replicaSetGets"));
            assertThat(events()).as("events").isEqualTo(expected.get("events"));
            checkRequeued((List<?>) expected.get("requeued"));
            if (error == null || !error.startsWith("unexpected key format")) {
                ((Map<?, ?>) expected.get("expectationsAfter"))
                        .forEach((key, state) -> assertThat(harness.expectationsOf((String) key))
                                .as("expectations of %s", key)
                                .isEqualTo(state));
            }
        }

        /**
         * Beside what upstream plans, an owner is looked at again at the moment when its next pod becomes available.
         */
        private void checkRequeued(List<?> upstream) {
            List<String> more = new ArrayList<>(harness.queue.takeAdded());
            for (Object requeue : upstream) {
                assertThat(more.remove(requeue)).as("requeued: %s", requeue).isTrue();
            }
            if (!more.isEmpty()) {
                assertThat(more).as("requeued beyond what upstream does").isSubsetOf(availabilities());
            }
        }

        private List<String> availabilities() {
            ReplicaView<ReplicaSet> owner = harness.kind.view(
                    Objects.requireNonNull(harness.owners.get(ObjectName.parse((String) input.get("key")))));
            return harness.pods.list().stream()
                    .map(pod -> pod.status().condition(PodCondition.READY))
                    .filter(ready -> ready != null && ready.isTrue() && ready.lastTransitionTime() != null)
                    .map(ready -> Objects.requireNonNull(ready.lastTransitionTime())
                            .instant()
                            .plusSeconds(owner.minReadySeconds()))
                    .map(from -> Duration.between(harness.clock.instant(), from))
                    .map(wait -> input.get("key") + " after " + wait.toSeconds() + "s")
                    .toList();
        }

        private @Nullable String sync() {
            try {
                harness.sync.syncReplicaSet(ObjectName.parse((String) input.get("key")));
                return null;
            } catch (RuntimeException e) {
                // Upstream prints times as Go does, and of a bad key it does not say what a good one is.
                return Errors.text(e)
                        .replaceAll("([0-9]{2})T([0-9:]{8})Z", "$1 $2 +0000 UTC")
                        .replaceAll("^(unexpected key format: .*); want .*$", "$1");
            }
        }

        /**
         * Returns the tree without what upstream writes and the codec leaves out, or the other way: every reader sees
         * the same.
         */
        private static @Nullable Object normal(@Nullable Object json) {
            if (json instanceof Map<?, ?> object) {
                Map<String, Object> members = new LinkedHashMap<>();
                object.forEach((name, value) -> {
                    if (value != null && !(name.equals("resources") && value.equals(Map.of()))) {
                        members.put((String) name, Objects.requireNonNull(normal(value)));
                    }
                });
                return members;
            }
            return json instanceof List<?> list
                    ? list.stream().<@Nullable Object>map(Run::normal).toList()
                    : json;
        }

        /** Returns the pods sent, which are all equal, with their number. */
        private @Nullable Object created() {
            List<Action> creates = harness.server.actions("create", "pods");
            if (creates.isEmpty()) {
                return null;
            }
            assertThat(creates.stream().map(Action::body).distinct()).hasSize(1);
            Map<String, @Nullable Object> pod = creates.get(0).object();
            pod.remove("apiVersion");
            pod.remove("kind");
            pod.putIfAbsent("status", Map.of());
            assertThat(((Map<?, ?>) pod.get("metadata")).remove("namespace"))
                    .isEqualTo(creates.get(0).namespace());
            Map<String, Object> created = new LinkedHashMap<>();
            created.put("count", BigDecimal.valueOf(creates.size()));
            created.put("namespace", creates.get(0).namespace());
            created.put("pod", pod);
            return normal(created);
        }

        private List<String> deleted() {
            return harness.server.actions("delete", "pods").stream()
                    .map(action -> action.namespace() + "/" + action.name())
                    .sorted()
                    .toList();
        }

        private List<Object> patches() {
            return harness.server.actions("patch", "pods").stream()
                    .sorted(Comparator.comparing(Action::name))
                    .<Object>map(action -> Map.of(
                            "pod", action.namespace() + "/" + action.name(),
                            "patchType", action.contentType(),
                            "patch", action.body()))
                    .toList();
        }

        private List<Object> statusUpdates() {
            return harness.server.actions("update", "replicasets").stream()
                    .<Object>map(action -> {
                        Map<?, ?> metadata = (Map<?, ?>) action.object().get("metadata");
                        Map<String, @Nullable Object> update = new LinkedHashMap<>();
                        @SuppressWarnings("unchecked")
                        Map<String, @Nullable Object> status =
                                (Map<String, @Nullable Object>) action.object().get("status");
                        // Upstream writes this zero, the codec leaves it out; every reader sees the same.
                        status.putIfAbsent("replicas", BigDecimal.ZERO);
                        update.put("subresource", action.subresource());
                        update.put("name", action.name());
                        update.put("resourceVersion", Objects.requireNonNullElse(metadata.get("resourceVersion"), ""));
                        update.put(
                                "generation", Objects.requireNonNullElse(metadata.get("generation"), BigDecimal.ZERO));
                        update.put("status", status);
                        return update;
                    })
                    .toList();
        }

        private List<Object> events() {
            Map<String, Long> counts = harness.recorder.events().stream()
                    .collect(Collectors.groupingBy(FakeRecorder.Recorded::text, TreeMap::new, Collectors.counting()));
            return counts.entrySet().stream()
                    .<Object>map(
                            event -> Map.of("event", event.getKey(), "count", BigDecimal.valueOf(event.getValue())))
                    .toList();
        }
    }
}
