package io.kubeloop.controller.events.series;

import static io.kubeloop.controller.events.ScriptedSeriesSink.patched;
import static io.kubeloop.controller.events.ScriptedSeriesSink.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.events.EventsV1Recorder;
import io.kubeloop.controller.events.ScriptedSeriesSink;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.testing.ManualAlarmClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The test is the loop's only worker: what is due when it works has happened when it returns. */
class SeriesReconcilerTest {

    private static final SeriesKey KEY =
            new SeriesKey(EventType.NORMAL, "Testing", "Tested", "example.com/tester", "tester-1", pod("web"), null);

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final ManualAlarmClock alarms = new ManualAlarmClock();
    private final ScriptedSeriesSink sink = new ScriptedSeriesSink();
    private final List<String> calls = sink.calls;

    private final RateLimitingQueue<SeriesKey> queue =
            WorkQueues.rateLimiting(WorkQueueConfig.named("").withClock(alarms), RateLimiters.defaultItemBased());
    private final SeriesReconciler loop = new SeriesReconciler(queue, 1000, sink, clock);
    private final EventsV1Recorder recorder =
            new DefaultEventsV1Recorder("example.com/tester", "tester-1", clock, loop::record);

    private void work() throws InterruptedException {
        while (queue.length() > 0) {
            SeriesKey key = queue.get();
            try {
                loop.sync(key);
            } finally {
                queue.done(key);
            }
        }
    }

    private void report(String pod) throws InterruptedException {
        ScriptedSeriesSink.report(recorder, pod);
        work();
    }

    private void advance(Duration by) throws InterruptedException {
        clock.advance(by);
        alarms.advance(by);
        work();
    }

    private static ApiException refusal(int code, String reason) {
        return new ApiException("POST /events", Status.failure(code, reason, "no"), null);
    }

    @Test
    void event_firstIsCreatedSecondMakesASeriesLaterAreCounted_EN02() throws InterruptedException {
        report("web");
        assertThat(calls).containsExactly("create web");
        advance(Duration.ofSeconds(2));
        report("web");
        assertThat(calls).containsExactly("create web", patched("web", 2, "00:00:02"));
        advance(Duration.ofSeconds(2));
        report("web");
        report("web");
        report("other");
        assertThat(calls).containsExactly("create web", patched("web", 2, "00:00:02"), "create other");
    }

    @Test
    void event_countedUpBeforeItIsCreated_isCreatedAsASeries() throws InterruptedException {
        recorder.event(pod("web"), null, EventType.NORMAL, "Tested", "Testing", "hello");
        recorder.event(pod("web"), null, EventType.NORMAL, "Tested", "Testing", "hello");
        recorder.event(pod("web"), null, EventType.NORMAL, "Tested", "Testing", "hello");
        work();
        assertThat(calls).containsExactly("create web x3");
    }

    @Test
    void event_sameButForItsNote_isTheSame_EN01() throws InterruptedException {
        report("web");
        recorder.event(pod("web"), null, EventType.NORMAL, "Tested", "Testing", "another");
        work();
        assertThat(calls).containsExactly("create web", patched("web", 2, "00:00:00"));
        calls.clear();
        recorder.event(pod("web"), pod("db"), EventType.NORMAL, "Tested", "Testing", "hello");
        recorder.event(pod("web"), null, EventType.WARNING, "Tested", "Testing", "hello");
        recorder.event(pod("web"), null, EventType.NORMAL, "Done", "Testing", "hello");
        recorder.event(pod("web"), null, EventType.NORMAL, "Tested", "Sleeping", "hello");
        new DefaultEventsV1Recorder("example.com/other", "tester-1", clock, loop::record)
                .event(pod("web"), null, EventType.NORMAL, "Tested", "Testing", "hello");
        new DefaultEventsV1Recorder("example.com/tester", "tester-2", clock, loop::record)
                .event(pod("web"), null, EventType.NORMAL, "Tested", "Testing", "hello");
        work();
        assertThat(calls).hasSize(6).containsOnly("create web");
    }

    @Test
    void series_idleForSixMinutes_isToldItsEndAndForgotten_EN03() throws InterruptedException {
        report("web");
        report("web");
        advance(Duration.ofMinutes(5));
        report("web");
        advance(Duration.ofMinutes(5));
        assertThat(calls).as("not idle").containsExactly("create web", patched("web", 2, "00:00:00"));
        advance(Duration.ofMinutes(1));
        assertThat(calls).endsWith(patched("web", 3, "00:05:00")).hasSize(3);
        assertThat(loop.remembered()).isZero();
        report("web");
        assertThat(calls).as("a new one").endsWith("create web").hasSize(4);
    }

    @Test
    void event_thatStaysAlone_isForgottenAfterSixMinutesWithoutAWrite_EN03() throws InterruptedException {
        report("web");
        advance(Duration.ofMinutes(6));
        assertThat(loop.remembered()).isZero();
        assertThat(calls).hasSize(1);
    }

    @Test
    void series_thatGoesOn_isWrittenAgainEveryHalfHour_EN03() throws InterruptedException {
        report("web");
        for (int minute = 0; minute <= 62; minute++) {
            report("web");
            advance(Duration.ofMinutes(1));
        }
        assertThat(calls)
                .containsExactly(
                        "create web",
                        patched("web", 2, "00:00:00"),
                        patched("web", 31, "00:29:00"),
                        patched("web", 61, "00:59:00"));
    }

    @Test
    void series_whoseEventExpired_isCreatedAnewWithTheCount_EN04() throws InterruptedException {
        report("web");
        sink.answer(call -> {
            if (call.startsWith("patch")) {
                throw refusal(404, StatusReason.NOT_FOUND);
            }
        });
        report("web");
        assertThat(calls).containsExactly("create web", patched("web", 2, "00:00:00"), "create web x2");
        assertThat(loop.failedWrites()).isEqualTo(0);
    }

    @Test
    void event_refused_isNotTriedAgain_EN04() throws InterruptedException {
        sink.fail(refusal(403, StatusReason.FORBIDDEN));
        report("web");
        report("web");
        report("web");
        advance(Duration.ofMinutes(5));
        assertThat(calls).containsExactly("create web", patched("web", 2, "00:00:00"));
        assertThat(loop.failedWrites()).isEqualTo(2);
    }

    @Test
    void event_creationWhoseAnswerWasLost_isNotCreatedTwice_EN04() throws InterruptedException {
        sink.fail(new TransportException(TransportException.Kind.BROKEN, "broken", null));
        assertThatThrownBy(() -> report("web")).isInstanceOf(TransportException.class);
        sink.answer(call -> {
            if (call.startsWith("create")) {
                throw refusal(409, StatusReason.ALREADY_EXISTS);
            }
        });
        report("web");
        assertThat(calls).containsExactly("create web", "create web x2", patched("web", 2, "00:00:00"));
        assertThat(loop.failedWrites()).isEqualTo(0);
    }

    @Test
    void event_givenUp_isTakenForToldAndForgottenLikeAnyOther() throws InterruptedException {
        sink.fail(new TransportException(TransportException.Kind.CONNECT, "refused", null));
        assertThatThrownBy(() -> report("web")).isInstanceOf(TransportException.class);
        loop.failed(KEY, new IllegalStateException("the last try"), 11, false);
        assertThat(loop.failedWrites()).isEqualTo(1);
        advance(Duration.ofMinutes(6));
        assertThat(calls).hasSize(1);
        assertThat(loop.remembered()).isZero();
    }

    @Test
    void tellAll_serverAway_givesUpAtTheFirstFailure() throws InterruptedException {
        sink.fail(new TransportException(TransportException.Kind.CONNECT, "refused", null));
        assertThatThrownBy(() -> report("web")).isInstanceOf(TransportException.class);
        loop.flush();
        loop.failed(KEY, new IllegalStateException("a try before the queue is shut down"), 1, true);
        assertThat(loop.failedWrites()).isEqualTo(1);
        assertThat(loop.discard()).as("counted once").isZero();
    }

    @Test
    void tellAll_seriesThatWasCountedUp_isToldItsCount() throws InterruptedException {
        report("web");
        report("web");
        report("web");
        report("db");
        loop.flush();
        work();
        assertThat(calls).endsWith("create db", patched("web", 3, "00:00:00")).hasSize(4);
        assertThat(loop.discard()).isZero();
    }
}
