/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.coordination.LeaseSpec;
import io.kubeloop.api.value.GoDuration;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The elector against what upstream's v1.20 does: leader-election (LE-12, LE-20, LE-22 to LE-28, LE-40, LE-50) and
 * leader-election-config (LE-01, LK-01).
 */
class LeaderElectionVectorsTest {

    @TestFactory
    Stream<DynamicTest> leaderElection() {
        return Vectors.tests(getClass(), "leader-election", vector -> {
            assumeTrue(vector.input().get("lockType").equals("leases"), "locks other than leases were removed (LK-01)");
            new Scenario(vector).run();
        });
    }

    @TestFactory
    Stream<DynamicTest> leaderElectionConfig() {
        return Vectors.tests(getClass(), "leader-election-config", vector -> {
            assumeFalse(
                    vector.input().containsKey("lockType"),
                    "a lock is given as an object here, not by its type's name");
            boolean accepted = vector.expected().get("error") == null;
            assertThat(isAccepted(vector.input())).isEqualTo(accepted);
        });
    }

    private static boolean isAccepted(Map<String, Object> input) {
        FakeLeases server = new FakeLeases();
        LeaderCallbacks callbacks =
                input.containsKey("noStartedCallback") || input.containsKey("noStoppedCallback") ? null : new Silent();
        ResourceLock lock = input.containsKey("noLock") ? null : lock(server, "a");
        try {
            LeaderElectionConfig unused = LeaderElectionConfig.of(lock, callbacks)
                    .withDurations(
                            duration(input.get("leaseDuration")),
                            duration(input.get("renewDeadline")),
                            duration(input.get("retryPeriod")));
            return unused != null;
        } catch (IllegalArgumentException | NullPointerException e) {
            return false;
        }
    }

    private static ResourceLock lock(FakeLeases server, String identity) {
        return new LeaseLock(server, new ObjectName("kube-system", "my-controller"), identity);
    }

    private static Duration duration(Object text) {
        return GoDuration.parse((String) text);
    }

    private static class Silent implements LeaderCallbacks {

        volatile String reported = "";

        @Override
        public void onStartedLeading() {}

        @Override
        public void onStoppedLeading() {}

        @Override
        public void onNewLeader(String identity) {
            reported = identity;
        }
    }

    /** Several candidates, one lease, one clock. */
    private static final class Scenario {

        private final Vectors.Case vector;
        private final FakeLeases server = new FakeLeases();
        private final ManualScheduler monotonic = new ManualScheduler();
        private final ManualClock wall;
        private final Map<String, Silent> callbacks = new LinkedHashMap<>();
        private final Map<String, LeaderElector> candidates = new LinkedHashMap<>();

        /** The candidates that have not read the lease since another client wrote it. */
        private final Set<String> written = new HashSet<>();

        /**
         * The leaders whose last attempt to renew failed; reading their own lease made it younger upstream, and does
         * not here.
         */
        private final Set<String> unrenewed = new HashSet<>();

        @SuppressWarnings("unchecked")
        Scenario(Vectors.Case vector) {
            this.vector = vector;
            Map<String, Object> input = vector.input();
            wall = new ManualClock(Instant.parse((String) input.get("start")));
            for (String identity : (List<String>) input.get("candidates")) {
                callbacks.put(identity, new Silent());
                candidates.put(
                        identity,
                        new LeaderElector(LeaderElectionConfig.of(lock(server, identity), callbacks.get(identity))
                                .withDurations(
                                        duration(input.get("leaseDuration")),
                                        duration(input.get("renewDeadline")),
                                        duration(input.get("retryPeriod")))
                                .withTime(new ControllerTime(wall, monotonic, () -> 0))));
            }
        }

        @SuppressWarnings("unchecked")
        void run() {
            List<Map<String, Object>> ops =
                    (List<Map<String, Object>>) vector.input().get("ops");
            List<Map<String, Object>> results =
                    (List<Map<String, Object>>) vector.expected().get("results");
            assertThat(results).hasSameSizeAs(ops);
            for (int i = 0; i < ops.size() && !changedLater(ops.get(i)); i++) {
                check(i, ops.get(i), results.get(i));
            }
            candidates.values().forEach(LeaderElector::close);
        }

        /**
         * Returns whether an operation has another outcome in later releases, and here with them, so the case
         * ends.
         */
        private boolean changedLater(Map<String, Object> op) {
            LeaderElector candidate = candidates.get((String) op.getOrDefault("who", ""));
            boolean cannotRead = op.get("apiErrors") instanceof List<?> errors
                    && errors.stream().anyMatch(error -> "get".equals(((Map<?, ?>) error).get("verb")));
            return switch ((String) op.get("op")) {
                // LE-21: a leader renews without reading.
                case "try" -> cannotRead && candidate.isLeader();
                // LE-40: and reads before it releases; what has become another's is left to it.
                case "release" ->
                    candidate.isLeader()
                            && (cannotRead
                                    || written.contains(op.get("who"))
                                    || !server.holder().equals(op.get("who")));
                // LE-24: the record's own duration counts.
                case "setLease" ->
                    op.get("spec") instanceof Map<?, ?> spec
                            && spec.get("holderIdentity") instanceof String holder
                            && !holder.isEmpty()
                            && !duration(vector.input().get("leaseDuration"))
                                    .equals(Duration.ofSeconds(number(spec.get("leaseDurationSeconds"))));
                default -> false;
            };
        }

        @SuppressWarnings("unchecked")
        private void check(int step, Map<String, Object> op, Map<String, Object> expected) {
            String who = (String) op.get("who");
            server.script(verb -> fail((List<Map<String, Object>>) op.getOrDefault("apiErrors", List.of()), verb));
            switch ((String) op.get("op")) {
                case "try" -> {
                    written.remove(who);
                    boolean wasLeader = candidates.get(who).isLeader();
                    long deadline =
                            monotonic.nanoTime() + Duration.ofSeconds(10).toNanos();
                    assertThat(candidates.get(who).tryAcquireOrRenew(deadline))
                            .as("step %d", step)
                            .isEqualTo(expected.get("result"));
                    checkCalls(step, wasLeader, (List<String>) expected.get("calls"));
                    unrenewed.remove(who);
                    if (wasLeader && expected.get("result").equals(false)) {
                        unrenewed.add(who);
                    }
                }
                case "release" ->
                    assertThat(candidates.get(who).tryRelease())
                            .as("step %d", step)
                            .isEqualTo(expected.get("result"));
                case "check" -> {
                    if (!unrenewed.contains(who)) {
                        assertThat(candidates.get(who).isHealthy(seconds(op)))
                                .as("step %d", step)
                                .isEqualTo(expected.get("healthy"));
                    }
                }
                case "advance" -> {
                    monotonic.advance(seconds(op));
                    wall.advance(seconds(op));
                }
                case "setLease" -> {
                    server.set(spec((Map<String, Object>) op.get("spec")));
                    written.addAll(candidates.keySet());
                }
                case "deleteLease" -> server.delete();
                default -> throw new IllegalArgumentException("unknown operation: " + op);
            }
            server.takeCalls();
            if (who != null) {
                checkCandidate(step, who, expected);
            }
        }

        /** Later releases renew without reading, and read when that fails (LE-21). */
        private void checkCalls(int step, boolean wasLeader, List<String> expected) {
            List<String> calls = server.takeCalls();
            String renewal = "update leases";
            if (wasLeader && calls.get(0).equals(renewal)) {
                List<String> others = calls.subList(1, calls.size());
                assertThat(others).as("step %d", step).isIn(List.of(), expected);
            } else {
                assertThat(calls).as("step %d", step).isEqualTo(expected);
            }
        }

        @SuppressWarnings("unchecked")
        private void checkCandidate(int step, String who, Map<String, Object> expected) {
            LeaderElector candidate = candidates.get(who);
            assertThat(candidate.isLeader()).as("step %d", step).isEqualTo(expected.get("isLeader"));
            assertThat(candidate.getLeader()).as("step %d", step).isEqualTo(expected.get("leader"));
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> callbacks.get(who).reported.equals(expected.get("reportedLeader")));
            if (expected.get("stored") instanceof Map<?, ?> stored) {
                Map<String, Object> lease = (Map<String, Object>) stored.get("lease");
                if (lease != null) {
                    lease.values().removeIf(Objects::isNull); // a time that is not there
                }
                assertThat(written(server.stored())).as("step %d", step).isEqualTo(lease);
            }
        }

        private static void fail(List<Map<String, Object>> errors, String verb) {
            for (Map<String, Object> error : errors) {
                if (error.get("verb").equals(verb)) {
                    throw FakeLeases.refusal(
                            ((BigDecimal) error.get("code")).intValueExact(), (String) error.get("reason"));
                }
            }
        }

        private static Duration seconds(Map<String, Object> op) {
            return Duration.ofSeconds(((BigDecimal) op.get("seconds")).longValueExact());
        }

        private static LeaseSpec spec(Map<String, Object> json) {
            return new LeaseSpec(
                    (String) json.get("holderIdentity"),
                    integer(json.get("leaseDurationSeconds")),
                    time(json.get("acquireTime")),
                    time(json.get("renewTime")),
                    integer(json.get("leaseTransitions")),
                    UnknownFields.NONE);
        }

        private static @Nullable MicroTime time(@Nullable Object text) {
            return text == null ? null : MicroTime.parse((String) text);
        }

        private static @Nullable Integer integer(@Nullable Object number) {
            return number == null ? null : ((BigDecimal) number).intValueExact();
        }

        private static int number(@Nullable Object number) {
            return number == null ? 0 : ((BigDecimal) number).intValueExact();
        }

        private static @Nullable Map<String, Object> written(@Nullable Lease lease) {
            if (lease == null) {
                return null;
            }
            LeaseSpec spec = lease.spec();
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("holderIdentity", spec.holderIdentity());
            json.put("leaseDurationSeconds", decimal(spec.leaseDurationSeconds()));
            json.put("leaseTransitions", decimal(spec.leaseTransitions()));
            json.put("acquireTime", wholeSeconds(spec.acquireTime()));
            json.put("renewTime", wholeSeconds(spec.renewTime()));
            json.values().removeIf(Objects::isNull);
            return json;
        }

        private static @Nullable BigDecimal decimal(@Nullable Integer number) {
            return number == null ? null : BigDecimal.valueOf(number);
        }

        private static @Nullable String wholeSeconds(@Nullable MicroTime time) {
            return time == null
                    ? null
                    : time.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        }
    }
}
