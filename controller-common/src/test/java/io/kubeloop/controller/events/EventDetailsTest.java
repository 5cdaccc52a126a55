/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventBuilder;
import io.kubeloop.api.core.EventSource;
import io.kubeloop.controller.events.correlation.EventAggregator;
import io.kubeloop.controller.events.correlation.EventSpamFilter;
import io.kubeloop.controller.events.write.DefaultEventRecorder;
import io.kubeloop.testing.ManualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The reporting component of events, and the limits per type of event. */
class EventDetailsTest {

    private static final EventSource SOURCE = new EventSource("replicaset-controller", "node-1", UnknownFields.NONE);

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));

    private Event made() {
        List<Event> made = new ArrayList<>();
        new DefaultEventRecorder(SOURCE, clock, made::add)
                .annotatedEvent(
                        ObjectReferenceBuilder.builder()
                                .namespace("shop")
                                .name("web")
                                .build(),
                        Map.of(),
                        EventType.NORMAL,
                        "Tested",
                        "a test");
        return made.get(0);
    }

    @Test
    void event_namesItsComponentTwice() {
        Event event = made();
        assertThat(event.source()).isEqualTo(SOURCE);
        assertThat(event.reportingController()).isEqualTo("replicaset-controller");
        assertThat(event.reportingInstance()).isEqualTo("node-1");
    }

    @Test
    void combinedEvent_namesItsComponentOnce() {
        EventAggregator aggregator = new EventAggregator(EventCorrelatorOptions.DEFAULT, clock);
        Event event = made();
        Event last = event;
        for (int i = 0; i < EventCorrelatorOptions.DEFAULT.aggregateFrom(); i++) {
            last = aggregator
                    .aggregate(EventBuilder.builder(event).message("test " + i).build())
                    .event();
        }
        assertThat(last.message()).startsWith("(combined");
        assertThat(last.source()).isEqualTo(SOURCE);
        assertThat(last.reportingController()).isEmpty();
        assertThat(last.reportingInstance()).isEmpty();
    }

    private long passed() {
        EventSpamFilter filter = new EventSpamFilter(EventCorrelatorOptions.DEFAULT, clock);
        return IntStream.range(0, 60)
                .mapToObj(i -> EventBuilder.builder()
                        .type(i % 2 == 0 ? EventType.NORMAL : EventType.WARNING)
                        .message("message " + i)
                        .build())
                .filter(event -> !filter.isSpam(event))
                .count();
    }

    @Test
    void isSpam_eachTypeHasItsAllowance() {
        assertThat(passed()).isEqualTo(50);
    }
}
