package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.core.Event;
import java.util.List;

/** What makes two events the same, similar, or of the same object. */
public final class EventKeys {

    private EventKeys() {}

    /** Returns what equal events have in common: one stored event with a count stands for them (EV-12). */
    public static List<String> same(Event event) {
        ObjectReference regarding = event.involvedObject();
        return List.of(
                event.source().component(),
                event.source().host(),
                regarding.kind(),
                regarding.namespace(),
                regarding.name(),
                regarding.fieldPath(),
                regarding.uid(),
                regarding.apiVersion(),
                event.type(),
                event.reason(),
                event.message());
    }

    /** Returns what similar events have in common: all but the message (EV-10). */
    public static List<String> similar(Event event) {
        ObjectReference regarding = event.involvedObject();
        return List.of(
                event.source().component(),
                event.source().host(),
                regarding.kind(),
                regarding.namespace(),
                regarding.name(),
                regarding.uid(),
                regarding.apiVersion(),
                event.type(),
                event.reason(),
                event.reportingController(),
                event.reportingInstance());
    }

    /** Returns what the events share that one source reports about one object (EV-14). */
    public static List<String> origin(Event event, boolean perType) {
        ObjectReference regarding = event.involvedObject();
        return List.of(
                event.source().component(),
                event.source().host(),
                regarding.kind(),
                regarding.namespace(),
                regarding.name(),
                regarding.uid(),
                regarding.apiVersion(),
                perType ? event.type() : "");
    }
}
