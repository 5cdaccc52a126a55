/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.Event;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class EventBroadcasterTest {

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final AtomicReference<Thread> thread = new AtomicReference<>();

    /** Remembers what was created; waits at a gate while it is shut. */
    private static class GatedSink implements EventSink {

        final List<Event> created = new CopyOnWriteArrayList<>();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);

        @Override
        public Event create(Event event) {
            reached.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransportException(TransportException.Kind.CLOSED, "interrupted", e);
            }
            created.add(event);
            return event;
        }

        @Override
        public Event patch(Event event, String patch) {
            return create(event);
        }
    }

    private EventBroadcaster broadcaster(EventSink sink) {
        return new EventBroadcaster(sink, EventCorrelatorOptions.DEFAULT, clock, this::track);
    }

    private Thread track(Runnable task) {
        Thread made = new Thread(task);
        thread.set(made);
        return made;
    }

    private static ObjectReference pod(int number) {
        return ObjectReferenceBuilder.builder()
                .apiVersion("v1")
                .kind("Pod")
                .namespace("shop")
                .name("web-" + number)
                .build();
    }

    @Test
    void recorder_slowSinkAndFullQueue_callerIsNotBlockedAndTheRestIsDropped() throws InterruptedException {
        GatedSink sink = new GatedSink();
        try (EventBroadcaster broadcaster = broadcaster(sink)) {
            EventRecorder recorder = broadcaster.recorder("tester");
            recorder.event(pod(0), EventType.NORMAL, "Tested", "taken by the writer, which waits");
            sink.reached.await();
            for (int i = 1; i <= EventBroadcaster.QUEUE_CAPACITY + 7; i++) {
                recorder.event(pod(i), EventType.NORMAL, "Tested", "hello");
            }
            assertThat(broadcaster.dropped()).as("EV-01").isEqualTo(7);
            assertThat(broadcaster.pending()).isEqualTo(EventBroadcaster.QUEUE_CAPACITY);
            sink.gate.countDown();
        }
        assertThat(sink.created).as("drained on close").hasSize(EventBroadcaster.QUEUE_CAPACITY + 1);
        assertThat(thread.get().isAlive()).as("I12").isFalse();
    }

    @Test
    void thread_isNamedAfterTheFirstThatReports() {
        try (EventBroadcaster broadcaster = broadcaster(new GatedSink())) {
            assertThat(thread.get().getName()).isEqualTo("kubeloop-event-broadcaster");
            broadcaster.recorder("tester");
            broadcaster.recorder("another");
            assertThat(thread.get().getName()).isEqualTo("kubeloop-event-broadcaster-tester");
        }
    }

    @Test
    void close_whileTheServerIsUnreachable_givesUpThePauseAndEndsTheThread() {
        AtomicInteger tries = new AtomicInteger();
        EventSink unreachable = new EventSink() {
            @Override
            public Event create(Event event) {
                tries.incrementAndGet();
                throw new TransportException(TransportException.Kind.CONNECT, "refused", null);
            }

            @Override
            public Event patch(Event event, String patch) {
                return create(event);
            }
        };
        // Of the pause before a second try only a random part is waited: here all of it.
        EventBroadcaster broadcaster = new EventBroadcaster(
                unreachable, EventCorrelatorOptions.DEFAULT, clock, this::track, Duration.ofHours(1), () -> 1);
        broadcaster.recorder("tester").event(pod(1), EventType.WARNING, "Tested", "a");
        broadcaster.recorder("tester").event(pod(2), EventType.WARNING, "Tested", "b");
        await().until(() -> tries.get() == 1);

        broadcaster.close();

        assertThat(thread.get().isAlive())
                .as("I12: nobody sits out a pause of seconds")
                .isFalse();
        assertThat(tries).as("EV-04: one try each").hasValue(2);
        assertThat(broadcaster.failed()).isEqualTo(2);
    }

    @Test
    void close_inAHurry_leavesTheRequestUnderWay() throws InterruptedException {
        GatedSink sink = new GatedSink();
        EventBroadcaster broadcaster = broadcaster(sink);
        broadcaster.recorder("tester").event(pod(1), EventType.NORMAL, "Tested", "waits at the gate");
        broadcaster.recorder("tester").event(pod(2), EventType.NORMAL, "Tested", "waits behind it");
        sink.reached.await();

        broadcaster.close(Duration.ZERO);

        thread.get().join();
        assertThat(sink.created).isEmpty();
        assertThat(broadcaster.dropped() + broadcaster.failed()).as("B2").isEqualTo(2);
    }

    @Test
    void closeAll_takesNoMoreEventsAnywhere_beforeItWaitsForAny() {
        EventBroadcaster second = broadcaster(new GatedSink());
        GatedSink sink = new GatedSink() {
            @Override
            public Event create(Event event) {
                await().until(() -> {
                    second.recorder("tester").event(pod(2), EventType.NORMAL, "Tested", "is it closed?");
                    return second.dropped() > 0;
                });
                created.add(event);
                return event;
            }
        };
        EventBroadcaster first = broadcaster(sink);
        first.recorder("tester").event(pod(1), EventType.NORMAL, "Tested", "waits for the second to be closed");

        EventBroadcaster.closeAll(List.of(first, second));
        assertThat(sink.created).hasSize(1);
    }

    @Test
    void close_withoutEndOfPatience_writesWhatWaits() {
        GatedSink sink = new GatedSink();
        sink.gate.countDown();
        EventBroadcaster broadcaster = broadcaster(sink);
        broadcaster.recorder("tester").event(pod(1), EventType.NORMAL, "Tested", "in time");
        broadcaster.close(ChronoUnit.FOREVER.getDuration());
        assertThat(sink.created).hasSize(1);
    }

    @Test
    void event_afterClose_isDroppedAndCounted() {
        GatedSink sink = new GatedSink();
        sink.gate.countDown();
        EventBroadcaster broadcaster = broadcaster(sink);
        broadcaster.close();
        broadcaster.recorder("tester").event(pod(1), EventType.NORMAL, "Tested", "late");
        broadcaster.close();
        assertThat(broadcaster.dropped()).isEqualTo(1);
        assertThat(sink.created).isEmpty();
    }

    @Test
    void event_moreThanTheAllowanceOfAnObject_isSuppressedAndCounted() {
        GatedSink sink = new GatedSink();
        sink.gate.countDown();
        EventBroadcaster broadcaster = broadcaster(sink);
        for (int i = 0; i < 30; i++) {
            broadcaster.recorder("tester").event(pod(1), EventType.NORMAL, "Tested" + i, "hello");
        }
        broadcaster.close();
        assertThat(sink.created).as("EV-14").hasSize(25);
        assertThat(broadcaster.suppressed()).isEqualTo(5);
    }

    @Test
    void event_countedUpWhileTheServerIsSlow_isOnePatch() throws InterruptedException {
        GatedSink sink = new GatedSink();
        try (EventBroadcaster broadcaster = broadcaster(sink)) {
            EventRecorder recorder = broadcaster.recorder("tester");
            recorder.event(pod(0), EventType.NORMAL, "Tested", "taken by the writer, which waits");
            sink.reached.await();
            for (int i = 0; i < 30; i++) {
                recorder.event(pod(1), EventType.NORMAL, "Created", "pod " + i);
            }
            sink.gate.countDown();
        }
        List<Event> written = sink.created.subList(1, sink.created.size());
        assertThat(written).as("EV-11: nine as they are, the rest combined").hasSize(11);
        assertThat(written.subList(0, 10)).allMatch(event -> event.count() == 1);
        assertThat(written.get(10).count()).as("EV-14: 25 in all").isEqualTo(16);
        assertThat(written.get(10).message()).isEqualTo("(combined from similar events): pod 24");
    }
}
