package io.kubeloop.controller.events;

import static io.kubeloop.controller.events.ScriptedSeriesSink.patched;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.ThreadLeakCheck;
import io.kubeloop.workqueue.testing.ManualAlarmClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ThreadLeakCheck.class)
class EventsV1BroadcasterTest {

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final ManualAlarmClock alarms = new ManualAlarmClock();
    private final ScriptedSeriesSink sink = new ScriptedSeriesSink();
    private final List<String> calls = sink.calls;

    private final EventsV1Broadcaster broadcaster = new EventsV1Broadcaster(sink, clock, alarms, Thread::new, () -> 1);
    private final EventsV1Recorder recorder = broadcaster.recorder("example.com/tester", "tester-1");

    @AfterEach
    void close() {
        broadcaster.close();
    }

    private void report(String pod) {
        ScriptedSeriesSink.report(recorder, pod);
    }

    private void awaitCalls(String... expected) {
        await().untilAsserted(() -> assertThat(calls).containsExactly(expected));
    }

    private void advance(Duration by) {
        clock.advance(by);
        alarms.advance(by);
    }

    @Test
    void event_serverAway_isTriedTwelveTimesAndThenGivenUp_EN04() {
        sink.fail(new TransportException(TransportException.Kind.CONNECT, "refused", null));
        report("web");
        for (int tries = 1; tries < 12; tries++) {
            int so = tries;
            await().untilAsserted(() -> assertThat(calls).hasSize(so));
            await().until(() -> broadcaster.planned() == 1);
            advance(Duration.ofSeconds(12));
            assertThat(broadcaster.planned()).as("10 s and all of the jitter").isEqualTo(1);
            advance(Duration.ofMillis(500));
        }
        await().until(() -> broadcaster.failed() == 1);
        assertThat(calls).hasSize(12);
    }

    @Test
    void event_moreThanTheQueueHolds_isDroppedAndCounted() throws InterruptedException {
        CountDownLatch taken = new CountDownLatch(8);
        CountDownLatch gate = new CountDownLatch(1);
        sink.answer(call -> {
            taken.countDown();
            awaitUninterruptibly(gate);
        });
        for (int i = 0; i < 8; i++) {
            report("busy-" + i);
        }
        taken.await();
        for (int i = 0; i < EventsV1Broadcaster.QUEUE_CAPACITY + 7; i++) {
            report("web-" + i);
        }
        assertThat(broadcaster.pending()).isEqualTo(EventsV1Broadcaster.QUEUE_CAPACITY);
        assertThat(broadcaster.dropped()).isEqualTo(7);
        gate.countDown();
        broadcaster.close();
        assertThat(calls).as("drained on close").hasSize(8 + EventsV1Broadcaster.QUEUE_CAPACITY);
        report("late");
        assertThat(broadcaster.dropped()).isEqualTo(8);
    }

    @Test
    void close_seriesThatWasCountedUp_isToldItsCount() {
        report("web");
        awaitCalls("create web");
        report("web");
        awaitCalls("create web", patched("web", 2, "00:00:00"));
        report("web");
        report("web");
        broadcaster.close();
        assertThat(calls).containsExactly("create web", patched("web", 2, "00:00:00"), patched("web", 4, "00:00:00"));
        assertThat(broadcaster.dropped()).isZero();
    }

    @Test
    void close_serverAway_givesEachSeriesOneTryAndCountsIt() {
        sink.fail(new TransportException(TransportException.Kind.CONNECT, "refused", null));
        report("web");
        report("db");
        await().untilAsserted(() -> assertThat(calls).hasSize(2));
        await().until(() -> broadcaster.planned() == 2);
        broadcaster.close();
        assertThat(calls).as("one more try each").hasSize(4);
        assertThat(broadcaster.failed()).isEqualTo(2);
        assertThat(broadcaster.dropped()).isZero();
    }

    private static void awaitUninterruptibly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new TransportException(TransportException.Kind.CLOSED, "interrupted", e);
        }
    }
}
