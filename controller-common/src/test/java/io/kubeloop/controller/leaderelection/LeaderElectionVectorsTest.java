package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kubeloop.api.Lease;
import io.kubeloop.api.LeaseSpec;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.Vectors;
import io.kubeloop.workqueue.testing.ManualAlarmClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /** What later releases do differently, and this elector with them. */
    private static final Set<String> CHANGED_LATER = Set.of(
            // LE-24: the record's own duration counts.
            "duration in the lock is not used",
            // LE-21: a leader renews without reading.
            "leader cannot read");

    @TestFactory
    Stream<DynamicTest> leaderElection() {
        return Vectors.tests(getClass(), "leader-election", vector -> {
            assumeTrue(vector.input().get("lockType").equals("leases"), "locks other than leases were removed (LK-01)");
            assumeFalse(CHANGED_LATER.contains(vector.name()), "later releases differ");
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
        String value = (String) text;
        return value.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)))
                : Duration.parse("PT" + value.toUpperCase(Locale.ROOT));
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
        private final ManualAlarmClock monotonic = new ManualAlarmClock();
        private final ManualClock wall;
        private final Map<String, Silent> callbacks = new LinkedHashMap<>();
        private final Map<String, LeaderElector> candidates = new LinkedHashMap<>();

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
                                .withTime(new ElectionTime(wall, monotonic, () -> 0))));
            }
        }

        @SuppressWarnings("unchecked")
        void run() {
            List<Map<String, Object>> ops =
                    (List<Map<String, Object>>) vector.input().get("ops");
            List<Map<String, Object>> results =
                    (List<Map<String, Object>>) vector.expected().get("results");
            assertThat(results).hasSameSizeAs(ops);
            for (int i = 0; i < ops.size(); i++) {
                check(i, ops.get(i), results.get(i));
            }
            candidates.values().forEach(LeaderElector::close);
        }

        @SuppressWarnings("unchecked")
        private void check(int step, Map<String, Object> op, Map<String, Object> expected) {
            String who = (String) op.get("who");
            server.script(verb -> fail((List<Map<String, Object>>) op.getOrDefault("apiErrors", List.of()), verb));
            switch ((String) op.get("op")) {
                case "try" -> {
                    long deadline =
                            monotonic.nanoTime() + Duration.ofSeconds(10).toNanos();
                    assertThat(candidates.get(who).tryAcquireOrRenew(deadline))
                            .as("step %d", step)
                            .isEqualTo(expected.get("result"));
                    // Later releases renew without reading.
                    if (!server.takeCalls().equals(expected.get("calls"))) {
                        assertThat(vector.name()).matches(name -> LATER_CALLS.contains(name), "calls changed later");
                    }
                }
                case "release" ->
                    assertThat(candidates.get(who).tryRelease())
                            .as("step %d", step)
                            .isEqualTo(expected.get("result"));
                case "check" ->
                    assertThat(candidates.get(who).isHealthy(seconds(op)))
                            .as("step %d", step)
                            .isEqualTo(expected.get("healthy"));
                case "advance" -> {
                    monotonic.advance(seconds(op));
                    wall.advance(seconds(op));
                }
                case "setLease" -> server.set(spec((Map<String, Object>) op.get("spec")));
                case "deleteLease" -> server.delete();
                default -> throw new IllegalArgumentException("unknown operation: " + op);
            }
            server.takeCalls();
            if (who != null) {
                checkCandidate(step, who, expected);
            }
        }

        private void checkCandidate(int step, String who, Map<String, Object> expected) {
            LeaderElector candidate = candidates.get(who);
            assertThat(candidate.isLeader()).as("step %d", step).isEqualTo(expected.get("isLeader"));
            assertThat(candidate.getLeader()).as("step %d", step).isEqualTo(expected.get("leader"));
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> callbacks.get(who).reported.equals(expected.get("reportedLeader")));
            if (expected.get("stored") instanceof Map<?, ?> stored) {
                assertThat(written(server.stored())).as("step %d", step).isEqualTo(stored.get("lease"));
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
                    ((BigDecimal) json.get("leaseDurationSeconds")).intValueExact(),
                    MicroTime.parse((String) json.get("acquireTime")),
                    MicroTime.parse((String) json.get("renewTime")),
                    ((BigDecimal) json.get("leaseTransitions")).intValueExact(),
                    UnknownFields.NONE);
        }

        private static @Nullable Map<String, Object> written(@Nullable Lease lease) {
            if (lease == null) {
                return null;
            }
            LeaseSpec spec = lease.spec();
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("holderIdentity", spec.holderIdentity());
            json.put("leaseDurationSeconds", BigDecimal.valueOf(spec.leaseDurationSeconds()));
            json.put("leaseTransitions", BigDecimal.valueOf(spec.leaseTransitions()));
            json.put("acquireTime", wholeSeconds(spec.acquireTime()));
            json.put("renewTime", wholeSeconds(spec.renewTime()));
            return json;
        }

        private static String wholeSeconds(MicroTime time) {
            return time.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        }
    }

    /** Where only the calls changed since v1.20: a valid own lease is renewed without a read. */
    private static final Set<String> LATER_CALLS = Set.of(
            "renewal keeps acquire time and transitions",
            "second takes over after the lease ran out unobserved changes",
            "a renewal restarts the waiting",
            "renewal that the other did not look at",
            "update fails for the leader, then works",
            "release fails",
            "lock deleted while leading",
            "stolen while leading",
            "health check");
}
