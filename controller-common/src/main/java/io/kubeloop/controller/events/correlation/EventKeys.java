/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.core.Event;
import java.util.List;

/** The keys by which events count as equal, as similar, or as from one source. Stateless. */
public final class EventKeys {

    private EventKeys() {}

    /** Returns the key of equal events, which are stored as one event with a count. */
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

    /** Returns the key of similar events, which differ only in their message. */
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

    /** Returns the key of the events of one type that one source records about one object. */
    public static List<String> origin(Event event) {
        ObjectReference regarding = event.involvedObject();
        return List.of(
                event.source().component(),
                event.source().host(),
                regarding.kind(),
                regarding.namespace(),
                regarding.name(),
                regarding.uid(),
                regarding.apiVersion(),
                event.type());
    }
}
