/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.Event;
import io.kubeloop.controller.events.EventSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class EventWriterTest {

    private final RecordedEvents reported = new RecordedEvents();
    private final EventBacklog backlog = reported.backlog;
    private final List<Event> created = new ArrayList<>();
    private final List<String> patches = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private Duration took = Duration.ZERO;
    private boolean broken;
    private long nanoTime;

    private final EventSink sink = new EventSink() {
        @Override
        public Event create(Event event) {
            nanoTime += took.toNanos();
            if (broken) {
                throw new TransportException(TransportException.Kind.BROKEN, "broken", null);
            }
            created.add(event);
            return event;
        }

        @Override
        public Event patch(Event event, String patch) {
            nanoTime += took.toNanos();
            patches.add(patch);
            return event;
        }
    };

    private EventWriter writer(Predicate<List<Duration>> hasTime) {
        return new EventWriter(
                backlog,
                sink,
                pause -> {
                    pauses.add(pause);
                    return hasTime.test(pauses);
                },
                Duration.ofSeconds(10),
                () -> 0.25,
                () -> nanoTime);
    }

    private void writeNext(EventWriter writer) throws InterruptedException {
        writer.write(reported.poll());
    }

    @Test
    void write_serverCannotBeReached_firstPauseIsARandomPartLaterOnesAreWhole() throws InterruptedException {
        broken = true;
        EventWriter writer = writer(pauses -> pauses.size() < 3);
        reported.report("hello");
        writeNext(writer);
        assertThat(pauses)
                .as("EV-22")
                .containsExactly(Duration.ofMillis(2500), Duration.ofSeconds(10), Duration.ofSeconds(10));
        assertThat(writer.failed()).isEqualTo(1);
    }

    @Test
    void write_takesMoreThanThreeTimesAsLongAsTheQuickestWhileManyWait_restsAfterIt() throws InterruptedException {
        EventWriter writer = writer(pauses -> true);
        reported.reportAboutOthers(25);
        List<Integer> restsAfter = new ArrayList<>();
        for (int millis : new int[] {9, 26, 4, 13, 16, 5, 800}) {
            reported.report("took " + millis);
            took = Duration.ofMillis(millis);
            int before = pauses.size();
            writeNext(writer);
            if (pauses.size() > before) {
                restsAfter.add(millis);
            }
        }
        assertThat(restsAfter).containsExactly(13, 16, 800);
        assertThat(pauses).containsOnly(Duration.ofMillis(250));
    }

    @Test
    void write_takesLongWhileFewWait_doesNotKeepThemWaiting() throws InterruptedException {
        EventWriter writer = writer(pauses -> true);
        reported.reportAboutOthers(24);
        for (int millis : new int[] {9, 800}) {
            reported.report("took " + millis);
            took = Duration.ofMillis(millis);
            writeNext(writer);
        }
        assertThat(pauses).isEmpty();
    }

    @Test
    void write_oneThatWasQuickByLuck_doesNotMakeAllOthersRestForEver() throws InterruptedException {
        EventWriter writer = writer(pauses -> true);
        reported.reportAboutOthers(25);
        reported.report("hello");
        Event event = reported.poll();
        for (int i = 0; i < 1000; i++) {
            took = Duration.ofNanos(i == 100 ? 400_000 : 2_000_000);
            writer.write(event);
        }
        assertThat(pauses).hasSizeBetween(1, 20);
    }

    @Test
    void write_storedEventCountedUpSeveralTimes_isOnePatchThatSaysTheLast() throws InterruptedException {
        EventWriter writer = writer(pauses -> true);
        reported.report("hello");
        writeNext(writer);
        reported.report("hello");
        reported.report("hello");
        reported.report("hello");
        writeNext(writer);
        assertThat(created).hasSize(1);
        assertThat(patches)
                .as("EV-12")
                .containsExactly("{\"count\":4,\"lastTimestamp\":\"2026-01-01T00:00:03Z\",\"message\":\"hello\"}");
        assertThat(backlog.poll()).isNull();
    }

    @Test
    void write_newEventCountedUpBeforeItIsStored_isCreatedAndThenPatchedOnce() throws InterruptedException {
        EventWriter writer = writer(pauses -> true);
        reported.report("hello");
        reported.report("hello");
        reported.report("hello");
        assertThat(backlog.size()).isEqualTo(2);
        writeNext(writer);
        writeNext(writer);
        assertThat(created).singleElement().satisfies(event -> {
            assertThat(event.count()).isEqualTo(1);
            assertThat(event.firstTimestamp()).hasToString("2026-01-01T00:00:00Z");
        });
        assertThat(patches)
                .containsExactly("{\"count\":3,\"lastTimestamp\":\"2026-01-01T00:00:02Z\",\"message\":\"hello\"}");
    }
}
