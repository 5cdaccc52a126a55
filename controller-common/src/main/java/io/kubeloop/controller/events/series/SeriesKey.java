package io.kubeloop.controller.events.series;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.events.EventsV1Event;
import org.jspecify.annotations.Nullable;

/**
 * The key of equal events: every field except note and time. References count as a whole: an object at another
 * resource version is another object.
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
