package io.kubeloop.controller.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.Event;
import io.kubeloop.api.EventBuilder;
import io.kubeloop.api.EventSource;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What waits to be written while equal events go on coming. */
class EventBacklogTest {

    private static final ObjectReference WEB = ObjectReferenceBuilder.builder()
            .apiVersion("v1")
            .kind("Pod")
            .namespace("shop")
            .name("web")
            .build();

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EventBacklog backlog = new EventBacklog(new EventCorrelator(EventCorrelatorOptions.DEFAULT, clock));
    private final EventMaker recorder = new EventMaker(EventSource.EMPTY, clock, backlog::add);

    private void report(int times) {
        for (int i = 0; i < times; i++) {
            recorder.event(WEB, EventType.NORMAL, "Tested", "hello");
            clock.advance(Duration.ofSeconds(1));
        }
    }

    private Event poll() {
        return Objects.requireNonNull(backlog.poll());
    }

    private void serverHasStored(Event event, String resourceVersion) {
        backlog.updateState(event.withMetadata(ObjectMetaBuilder.builder(event.metadata())
                .resourceVersion(resourceVersion)
                .build()));
    }

    @Test
    void updateState_countedUpSinceTheWrite_countingGoesOnFromTheLast() {
        report(6);
        Event creation = poll();
        assertThat(creation.count()).isEqualTo(1);
        serverHasStored(creation, "101");
        report(1);
        Event patch = poll();
        assertThat(patch.count()).isEqualTo(7);
        assertThat(patch.firstTimestamp()).isEqualTo(creation.firstTimestamp());
        assertThat(patch.metadata().name()).isEqualTo(creation.metadata().name());
        assertThat(patch.metadata().resourceVersion()).isEqualTo("101");
        assertThat(backlog.poll()).isNull();
    }

    @Test
    void updateState_nothingCountedSince_countingGoesOnFromWhatIsStored() {
        report(1);
        Event creation = poll();
        serverHasStored(creation, "101");
        report(1);
        assertThat(poll().count()).isEqualTo(2);
    }

    @Test
    void updateState_storedCountIsGreater_isBelieved() {
        report(6);
        poll();
        Event patch = poll();
        Event more = EventBuilder.builder(patch).count(9).build();
        serverHasStored(more, "102");
        report(1);
        assertThat(poll().count()).isEqualTo(10);
    }
}
