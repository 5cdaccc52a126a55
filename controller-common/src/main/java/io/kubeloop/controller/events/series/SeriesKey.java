package io.kubeloop.controller.events.series;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.events.EventsV1Event;
import io.kubeloop.controller.events.EventsV1Broadcaster;
import org.jspecify.annotations.Nullable;

/**
 * What makes two events the same for {@link EventsV1Broadcaster} (EN-01): all but the note, which may tell of details, and the
 * time. References count as a whole: an object seen at another resource version is another one.
 */
public record SeriesKey(
        String type,
        String action,
        String reason,
        String reportingController,
        String reportingInstance,
        ObjectReference regarding,
        @Nullable ObjectReference related) {

    public static SeriesKey of(EventsV1Event event) {
        return new SeriesKey(
                event.type(),
                event.action(),
                event.reason(),
                event.reportingController(),
                event.reportingInstance(),
                event.regarding(),
                event.related());
    }
}
