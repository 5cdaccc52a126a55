/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.coordination.LeaseSpec;
import io.kubeloop.api.coordination.LeaseSpecBuilder;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The elector rule by rule, on one fixture of a scripted lock and a manual clock; long because the rules are many. */
@Timeout(20)
class LeaderElectorTest {

    private static final ObjectName NAME = new ObjectName("kube-system", "my-controller");

    private final FakeLeases server = new FakeLeases();
    private final ManualScheduler monotonic = new ManualScheduler();
    private final ManualClock wall = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));

    /** What an alarm was last set to, until time has passed up to there. */
    private final AtomicReference<Duration> nextAlarm = new AtomicReference<>();

    private final FakeRecorder events = new FakeRecorder();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /** What happened to the candidate, in order. */
    private final List<String> log = new CopyOnWriteArrayList<>();

    private final AtomicReference<Callable<Object>> guardedWork = new AtomicReference<>(() -> null);
    private final AtomicReference<Runnable> stopping = new AtomicReference<>(() -> {});
    private final CountDownLatch hang = new CountDownLatch(1);

    @AfterEach
    void endHangingCalls() {
        hang.countDown();
    }

    private LeaderElectionConfig config() {
        LeaderCallbacks callbacks = new LeaderCallbacks() {
            @Override
            public void onStartedLeading() throws Exception {
                log.add("started");
                guardedWork.get().call();
            }

            @Override
            public void onStoppedLeading() {
                log.add("stopped");
                stopping.get().run();
            }

            @Override
            public void onNewLeader(String identity) {
                log.add("leader " + identity);
            }
        };
        LeaderElectionMetrics metrics = new LeaderElectionMetrics() {
            @Override
            public void leading(boolean leading) {
                log.add("leading " + leading);
            }

            @Override
            public void slowPath() {
                log.add("slow path");
            }
        };
        return LeaderElectionConfig.of(new LeaseLock(server, NAME, "a", Map.of(), events), callbacks)
                .withTime(new ControllerTime(wall, new NotingClock(), () -> 0.5))
                .withMetrics(metrics)
                .withThreads(action -> {
                    Thread thread = new Thread(action);
                    thread.setDaemon(true);
                    threads.add(thread);
                    return thread;
                });
    }

    private LeaderElector leader(LeaderElectionConfig config) {
        LeaderElector elector = new LeaderElector(config);
        elector.start();
        until(() -> log.containsAll(List.of("started", "leader a")));
        return elector;
    }

    private static void until(Callable<Boolean> condition) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(condition);
    }

    /**
     * Lets time pass until it is so, from one attempt of the elector to the next. The clock stands while the elector is
     * busy, however late its threads get their turn: no lease runs out meanwhile.
     */
    private void passUntil(Callable<Boolean> condition) {
        until(() -> {
            if (condition.call()) {
                return true;
            }
            Duration next = nextAlarm.get(); // before the look: an attempt that begins after it sets another alarm
            if (next != null && isBetweenAttempts() && nextAlarm.compareAndSet(next, null)) {
                passTo(next);
            }
            return false;
        });
    }

    /**
     * Returns whether the elector waits for a moment, or has not awoken yet since it came; that moment was its last
     * alarm.
     */
    private boolean isBetweenAttempts() {
        return threads.stream().anyMatch(thread -> {
            List<String> methods = Arrays.stream(thread.getStackTrace())
                    .map(StackTraceElement::getMethodName)
                    .toList();
            return methods.containsAll(List.of("awaitUntil", "awaitUninterruptibly"));
        });
    }

    /** The manual clock, which leaves word of the time of the last task. */
    private final class NotingClock implements Scheduler {

        @Override
        public Instant now() {
            return monotonic.now();
        }

        @Override
        public long nanoTime() {
            return monotonic.nanoTime();
        }

        @Override
        public Task scheduleAt(long nanoTime, Runnable task) {
            nextAlarm.set(Duration.ofNanos(nanoTime));
            return monotonic.scheduleAt(nanoTime, task);
        }

        @Override
        public void close() {}
    }

    private void passTo(Duration time) {
        monotonic.advance(Duration.ofNanos(Math.max(0, time.toNanos() - monotonic.nanoTime())));
    }

    private static LeaseSpec heldBy(String identity) {
        return LeaseSpecBuilder.builder()
                .holderIdentity(identity)
                .leaseDurationSeconds(15)
                .leaseTransitions(3)
                .build();
    }

    private void awaitNoThreads() {
        until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void durationsThatNoClockHolds_areRefused() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        LeaderElectionConfig config = config();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withDurations(forever, Duration.ofSeconds(10), forever));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withDurations(forever, forever.minusSeconds(1), Duration.ofSeconds(2)));
    }

    @Test
    void isHealthy_withATolerance_thatNoClockHolds_isTrue() {
        LeaderElector elector = leader(config());

        assertThat(elector.isHealthy(ChronoUnit.FOREVER.getDuration())).isTrue();
        assertThat(elector.isHealthy(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
        assertThat(elector.isHealthy(Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
        elector.close();
    }

    @Test
    void candidateOfAFreeLock_leadsAndSaysSo_LE22_LK04() {
        LeaderElector elector = leader(config());

        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.isLeading()).isTrue();
        assertThat(server.holder()).isEqualTo("a");
        assertThat(events.events())
                .extracting(FakeRecorder.Recorded::text)
                .containsExactly("Normal LeaderElection a became leader");
        elector.close();
        assertThat(events.events().get(1).text()).isEqualTo("Normal LeaderElection a stopped leading");
    }

    @Test
    void leader_renewsEveryRetryPeriodWithoutReading_LE21() {
        LeaderElector elector = leader(withLongDeadline(config()));
        server.takeCalls();
        List<String> calls = new CopyOnWriteArrayList<>();

        passUntil(() -> {
            calls.addAll(server.takeCalls());
            return calls.size() >= 3;
        });

        assertThat(calls).containsOnly("update leases");
        assertThat(Duration.ofNanos(monotonic.nanoTime())).isGreaterThanOrEqualTo(Duration.ofSeconds(6));
        elector.close();
    }

    @Test
    void close_endsLeadership_keepsTheLease_andLeavesNoThread_I12() {
        LeaderElector elector = leader(config());

        elector.close();
        elector.close();

        assertThat(log).containsOnlyOnce("stopped").endsWith("leading false", "stopped");
        assertThat(elector.isLeading()).isFalse();
        assertThat(server.holder()).isEqualTo("a");
        assertThat(threads).noneMatch(Thread::isAlive);
    }

    @Test
    void close_ofACandidateThatNeverLed_callsStoppedLeadingToo_LE10() {
        server.set(heldBy("z"));
        LeaderElector elector = new LeaderElector(config());
        elector.start();
        until(() -> log.contains("leader z"));

        elector.close();

        assertThat(log).containsExactly("leader z", "stopped");
        awaitNoThreads();
    }

    @Test
    void close_beforeRun_forbidsRun() {
        LeaderElector elector = new LeaderElector(config());

        elector.close();

        assertThatIllegalStateException().isThrownBy(elector::run);
        assertThat(log).isEmpty();
    }

    @Test
    void run_aSecondTime_isRefused() {
        LeaderElector elector = leader(config());

        assertThatIllegalStateException().isThrownBy(elector::run);
        elector.close();
    }

    @Test
    void candidate_waitsTheRetryPeriodAndMoreByChance() {
        // LE-02
        server.set(heldBy("z"));
        LeaderElector elector = new LeaderElector(config());
        elector.start();
        until(() -> log.contains("leader z"));
        server.takeCalls();

        // 2 s and half of 1.2 times 2 s: the dice always show a half.
        monotonic.advance(Duration.ofMillis(3199));
        assertThat(server.takeCalls()).isEmpty();
        passUntil(() -> !server.takeCalls().isEmpty());
        elector.close();
    }

    @Test
    void candidate_takesALeaseThatDidNotChangeForItsOwnDuration_LE24_LE28() {
        server.set(heldBy("z"));
        LeaderElector elector = new LeaderElector(config());
        elector.start();
        until(() -> log.contains("leader z"));

        passUntil(() -> log.contains("started"));

        assertThat(Duration.ofNanos(monotonic.nanoTime())).isGreaterThanOrEqualTo(Duration.ofSeconds(15));
        assertThat(server.stored().spec().leaseTransitions()).isEqualTo(4);
        elector.close();
    }

    @Test
    void candidate_takesALeaseWithTheGreatestNumberOfTransitions() {
        // Edited by hand, say. An API server refuses the negative number that comes next.
        server.set(LeaseSpecBuilder.builder(heldBy("z"))
                .leaseTransitions(Integer.MAX_VALUE)
                .build());
        LeaderElector elector = new LeaderElector(config());
        elector.start();

        passUntil(() -> log.contains("started"));

        assertThat(server.stored().spec().leaseTransitions()).isEqualTo(Integer.MAX_VALUE);
        elector.close();
    }

    @Test
    void I10_leaderWhoseRequestHangs_stopsAtTheRenewDeadline_LE11() {
        LeaderElector elector = leader(config());
        CountDownLatch sent = new CountDownLatch(1);
        server.script(verb -> {
            sent.countDown();
            hangInSpiteOfInterrupts();
        });
        passUntil(() -> sent.getCount() == 0);

        passTo(Duration.ofSeconds(10));

        until(() -> log.contains("stopped"));
        assertThat(elector.isLeading()).isFalse();
        elector.close();
    }

    @Test
    void I10_leaderThatSleptThrough_doesNotLeadFromTheDeadlineOn_E1() {
        LeaderElector elector = leader(config());
        server.script(verb -> hangInSpiteOfInterrupts());
        monotonic.advance(Duration.ofMillis(9999));
        assertThat(elector.isLeading()).isTrue();

        monotonic.advance(Duration.ofMillis(1));

        // At once, whether or not the elector's thread has had its turn.
        assertThat(elector.isLeading()).isFalse();
        elector.close();
    }

    @Test
    void I10_slowAnswer_countsFromWhenTheRenewalWasSent() {
        LeaderElector elector = leader(config());
        AtomicReference<Long> sentAt = new AtomicReference<>();
        CountDownLatch mayAnswer = new CountDownLatch(1);
        server.script(new FakeLeases.Script() {
            @Override
            public void before(String verb) throws Exception {
                sentAt.set(monotonic.nanoTime());
                mayAnswer.await();
            }

            @Override
            public void after(String verb) {
                server.script(next -> hangInSpiteOfInterrupts());
            }
        });
        passUntil(() -> sentAt.get() != null);
        monotonic.advance(Duration.ofSeconds(1));
        mayAnswer.countDown();

        passTo(Duration.ofNanos(sentAt.get()).plusSeconds(10));

        until(() -> log.contains("stopped"));
        elector.close();
    }

    @Test
    void leaderThatCannotRenew_stopsAtTheRenewDeadline() {
        // LE-29
        LeaderElector elector = leader(config());
        server.script(verb -> {
            throw new TransportException(TransportException.Kind.CONNECT, "no connection", null);
        });
        passUntil(() -> log.contains("slow path"));

        passTo(Duration.ofSeconds(10));

        until(() -> log.contains("stopped"));
        elector.close();
    }

    @Test
    void leaderWhoseLeaseWasStolen_stopsWithoutWaiting() {
        LeaderElector elector = leader(config());
        server.takeCalls();
        server.set(heldBy("z"));

        passUntil(() -> !server.takeCalls().isEmpty());

        until(() -> log.containsAll(List.of("leader z", "stopped")));
        assertThat(elector.isLeader()).isFalse();
        elector.close();
    }

    @Test
    void release_comesAfterTheWorkHasStopped_LE40() {
        stopping.set(() -> log.add("holder when stopped: " + server.holder()));
        LeaderElector elector = leader(config().withReleaseOnCancel());

        elector.close();

        assertThat(log).contains("holder when stopped: a");
        assertThat(server.holder()).isEmpty();
        assertThat(server.stored().spec().leaseDurationSeconds()).isEqualTo(1);
        assertThat(server.stored().spec().leaseTransitions()).isZero();
        assertThat(log).endsWith("leader ");
        awaitNoThreads();
    }

    @Test
    void release_waitsForTheGuardedWork_E4() {
        // LE-42
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        guardedWork.set(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                mayEnd.await();
            }
            return null;
        });
        LeaderElector elector = leader(config().withReleaseOnCancel());

        elector.cancel();
        until(() -> interrupted.getCount() == 0 && log.contains("stopped"));
        assertThat(server.holder()).isEqualTo("a");
        mayEnd.countDown();

        until(() -> server.holder().isEmpty());
        elector.close();
    }

    @Test
    void release_doesNotHappenWhileTheWorkGoesOn_E4() {
        guardedWork.set(() -> {
            hangInSpiteOfInterrupts();
            return null;
        });
        LeaderElector elector = leader(config().withReleaseOnCancel());

        elector.cancel();
        until(() -> log.contains("stopped"));
        passTo(Duration.ofSeconds(17));

        elector.close();
        assertThat(server.holder()).isEqualTo("a");
    }

    @Test
    void release_meetingAConflict_triesAgain_LE41() {
        LeaderElector elector = leader(config().withReleaseOnCancel());
        server.takeCalls();
        server.script(verb -> {
            if (verb.equals("update")) {
                server.script(next -> {});
                throw FakeLeases.refusal(409, "Conflict");
            }
        });

        elector.close();

        assertThat(server.takeCalls()).containsExactly("get leases", "update leases", "get leases", "update leases");
        assertThat(server.holder()).isEmpty();
    }

    @Test
    void release_ofALeaseThatIsAnothers_leavesIt_LE40() {
        LeaderElector elector = leader(config().withReleaseOnCancel());
        server.set(heldBy("z"));

        elector.close();

        assertThat(server.holder()).isEqualTo("z");
    }

    @Test
    void release_byACandidateThatDoesNotLead_asksNobodyAndLearnsNothing_LE40() {
        server.set(heldBy("z"));
        server.script(verb -> {
            throw FakeLeases.refusal(500, "InternalError");
        });
        try (LeaderElector elector = new LeaderElector(config())) {
            assertThat(elector.tryRelease()).isTrue();
            assertThat(elector.getLeader()).isEmpty();
        }
        assertThat(server.takeCalls()).isEmpty();
    }

    @Test
    void guardedWorkThatThrows_endsLeadership() {
        guardedWork.set(() -> {
            throw new IllegalStateException("broken");
        });
        LeaderElector elector = leader(config());

        until(() -> log.contains("stopped"));

        assertThat(elector.isLeading()).isFalse();
        elector.close();
        awaitNoThreads();
    }

    /** Takes note as usual, and throws every time. */
    private static LeaderElectionMetrics broken(LeaderElectionMetrics metrics) {
        return new LeaderElectionMetrics() {
            @Override
            public void leading(boolean leading) {
                metrics.leading(leading);
                throw new IllegalStateException("broken metrics");
            }

            @Override
            public void slowPath() {
                metrics.slowPath();
                throw new LinkageError("broken metrics");
            }
        };
    }

    /** So much time that it does not run out, however much passes until the elector's threads get their turn. */
    private static LeaderElectionConfig withLongDeadline(LeaderElectionConfig config) {
        return config.withDurations(Duration.ofHours(2), Duration.ofHours(1), Duration.ofSeconds(2));
    }

    @Test
    void metricsThatThrow_keepNobodyFromStoppingAndReleasing_E2() {
        CountDownLatch interrupted = new CountDownLatch(1);
        guardedWork.set(() -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return null;
        });
        LeaderElectionConfig config = config().withReleaseOnCancel();
        LeaderElector elector = leader(config.withMetrics(broken(config.metrics())));

        elector.close();

        assertThat(log)
                .contains("leading true")
                .containsOnlyOnce("stopped")
                .containsSubsequence("leading false", "stopped");
        assertThat(interrupted.getCount()).isZero();
        assertThat(server.holder()).isEmpty();
        assertThat(threads).noneMatch(Thread::isAlive);
    }

    @Test
    void metricsThatThrow_doNotEndAnAttempt() {
        LeaderElectionConfig config = withLongDeadline(config());
        LeaderElector elector = leader(config.withMetrics(broken(config.metrics())));
        server.script(verb -> {
            server.script(next -> {});
            throw new TransportException(TransportException.Kind.BROKEN, "broken", null);
        });
        server.takeCalls();

        passUntil(() -> log.contains("slow path"));

        List<String> calls = new CopyOnWriteArrayList<>();
        until(() -> {
            calls.addAll(server.takeCalls());
            return calls.size() >= 3;
        });
        assertThat(calls).startsWith("update leases", "get leases", "update leases");
        elector.close();
    }

    @Test
    void attemptThatEndsInAnError_isFollowedByAnother() {
        LeaderElector elector = leader(withLongDeadline(config()));
        AtomicReference<String> failed = new AtomicReference<>();
        CountDownLatch again = new CountDownLatch(1);
        server.script(verb -> {
            server.script(next -> again.countDown());
            failed.set(verb);
            throw new StackOverflowError("as the script says");
        });

        passUntil(() -> failed.get() != null);
        passUntil(() -> again.getCount() == 0);

        assertThat(log).doesNotContain("stopped");
        assertThat(elector.isLeading()).isTrue();
        elector.close();
    }

    @Test
    void close_beforeTheThreadOfStartHasBegun_stillCallsStoppedLeading_LE10() throws InterruptedException {
        LeaderElectionConfig config = config();
        LeaderElector elector =
                new LeaderElector(config.withThreads(action -> config.threads().newThread(() -> {
                    hangInSpiteOfInterrupts();
                    action.run();
                })));
        elector.start();
        Thread closing = new Thread(elector::close);
        closing.start();
        until(() -> List.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED).contains(closing.getState()));

        hang.countDown();
        closing.join();

        assertThat(log).containsExactly("stopped");
        assertThat(server.takeCalls()).isEmpty();
        assertThat(threads).noneMatch(Thread::isAlive);
    }

    @Test
    void start_twiceOrAfterClose_isRefused() {
        LeaderElector elector = leader(config());
        assertThatIllegalStateException().isThrownBy(elector::start);

        elector.close();

        assertThatIllegalStateException().isThrownBy(elector::start);
    }

    @Test
    void start_withoutAThread_fails_andCloseHasNothingToWaitFor() {
        LeaderElector elector = new LeaderElector(config().withThreads(action -> {
            throw new IllegalStateException("no more threads");
        }));

        assertThatIllegalStateException().isThrownBy(elector::start).withMessage("no more threads");

        Thread closing = new Thread(elector::close);
        closing.start();
        until(() -> !closing.isAlive());
        assertThat(log).isEmpty();
    }

    @Test
    void close_byTheGuardedWork_doesNotWaitForItself() {
        AtomicReference<LeaderElector> elector = new AtomicReference<>();
        CountDownLatch known = new CountDownLatch(1);
        guardedWork.set(() -> {
            known.await();
            elector.get().close();
            log.add("closed");
            return null;
        });
        elector.set(leader(config()));

        known.countDown();

        until(() -> log.containsAll(List.of("closed", "stopped")));
        awaitNoThreads();
    }

    @Test
    void attemptThatWasGivenUp_sendsNothingMore() {
        CountDownLatch reading = new CountDownLatch(1);
        server.script(verb -> {
            reading.countDown();
            hangInSpiteOfInterrupts();
        });
        LeaderElector elector = new LeaderElector(config());
        elector.start();
        until(() -> reading.getCount() == 0);

        elector.close();
        hang.countDown();

        awaitNoThreads();
        assertThat(server.takeCalls()).containsExactly("get leases");
        assertThat(server.stored()).isNull();
    }

    @Test
    void leaderTransport_letsWritesPassOnlyWhileLeading_I10() {
        LeaderElector elector = leader(config());
        List<String> sent = new CopyOnWriteArrayList<>();
        try (Transport fence = new FencedTransport(new Recording(sent), elector::isLeading)) {
            fence.execute(ApiRequest.of("POST", "/api/v1/namespaces/a/pods", Map.of(), null));
            elector.close();

            fence.execute(ApiRequest.get("/api/v1/pods", Map.of()));
            assertThatThrownBy(
                            () -> fence.execute(ApiRequest.of("DELETE", "/api/v1/namespaces/a/pods/b", Map.of(), null)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("DELETE /api/v1/namespaces/a/pods/b");
        }
        assertThat(sent).containsExactly("POST /api/v1/namespaces/a/pods", "GET /api/v1/pods", "close");
    }

    private record Recording(List<String> sent) implements Transport {
        @Override
        public ApiResponse execute(ApiRequest request) {
            sent.add(request.describe());
            return null;
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            throw new ApiException(
                    "test", FakeLeases.refusal(500, "InternalError").status(), null);
        }

        @Override
        public void close() {
            sent.add("close");
        }
    }

    /** As a client that does not care for interrupts. */
    private void hangInSpiteOfInterrupts() {
        boolean interrupted = false;
        while (true) {
            try {
                hang.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
