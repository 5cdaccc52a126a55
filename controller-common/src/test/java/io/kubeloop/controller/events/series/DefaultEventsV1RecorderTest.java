package io.kubeloop.controller.events.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.events.EventsV1Event;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.events.EventsV1Recorder;
import io.kubeloop.testing.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultEventsV1RecorderTest {

    private static final ObjectReference NODE = ObjectReferenceBuilder.builder()
            .apiVersion("v1")
            .kind("Node")
            .name("n1")
            .build();

    private final List<EventsV1Event> made = new ArrayList<>();
    private final EventsV1Recorder recorder = new DefaultEventsV1Recorder(
            "example.com/tester", "tester-1", new ManualClock(Instant.parse("2026-01-01T00:00:00Z")), made::add);

    @Test
    void event_aboutAnObjectOfTheCluster_hasAllThatTheServerAsksFor() {
        recorder.event(NODE, NODE, EventType.WARNING, "Tested", "Testing", "hello");
        assertThat(made).singleElement().satisfies(event -> {
            assertThat(event.objectName()).hasToString("default/n1.18867251edfa0000");
            assertThat(event.eventTime()).hasToString("2026-01-01T00:00:00.000000Z");
            assertThat(event.reportingController()).isEqualTo("example.com/tester");
            assertThat(event.reportingInstance()).isEqualTo("tester-1");
            assertThat(event.action()).isEqualTo("Testing");
            assertThat(event.reason()).isEqualTo("Tested");
            assertThat(event.regarding()).isEqualTo(NODE);
            assertThat(event.related()).isEqualTo(NODE);
            assertThat(event.note()).isEqualTo("hello");
            assertThat(event.type()).isEqualTo("Warning");
            assertThat(event.series()).isNull();
        });
    }

    @Test
    void event_typeThatTheServerWouldRefuse_isNotSent() {
        recorder.event(NODE, null, "Strange", "Tested", "Testing", "hello");
        assertThat(made).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "x, 1024, 1024",
        "x, 1025, 1024",
        "\u00e9, 512, 512",
        "\u00e9, 513, 512",
        "\u20ac, 342, 341",
        "\ud83d\ude00, 257, 256"
    })
    void event_longNote_isCutBetweenTwoCharactersToWhatTheServerTakes(String character, int times, int left) {
        recorder.event(NODE, null, EventType.NORMAL, "Tested", "Testing", character.repeat(times));
        String note = made.get(0).note();
        assertThat(note).isEqualTo(character.repeat(left));
        assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1024);
    }
}
