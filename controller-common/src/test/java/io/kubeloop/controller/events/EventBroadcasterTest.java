package io.kubeloop.controller.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.Event;
import io.kubeloop.api.EventSource;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
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
    private static final class GatedSink implements EventSink {

        private final List<Event> created = new CopyOnWriteArrayList<>();
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
        return new EventBroadcaster(sink, EventCorrelatorOptions.DEFAULT, clock, task -> {
            Thread made = new Thread(task);
            thread.set(made);
            return made;
        });
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
        EventBroadcaster broadcaster = broadcaster(unreachable);
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
    void retryPause_firstIsARandomPart_laterAreWhole() {
        List<Duration> pauses = new CopyOnWriteArrayList<>();
        EventWriter writer = new EventWriter(
                new EventCorrelator(EventCorrelatorOptions.DEFAULT, clock),
                new EventSink() {
                    @Override
                    public Event create(Event event) {
                        throw new TransportException(TransportException.Kind.BROKEN, "broken", null);
                    }

                    @Override
                    public Event patch(Event event, String patch) {
                        return create(event);
                    }
                },
                pause -> {
                    pauses.add(pause);
                    return pauses.size() < 3;
                },
                Duration.ofSeconds(10),
                () -> 0.25);
        new EventMaker(EventSource.EMPTY, clock, event -> {
                    try {
                        writer.write(event);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .event(pod(1), EventType.NORMAL, "Tested", "hello");
        assertThat(pauses)
                .as("EV-22")
                .containsExactly(Duration.ofMillis(2500), Duration.ofSeconds(10), Duration.ofSeconds(10));
        assertThat(writer.failed).hasValue(1);
    }
}
