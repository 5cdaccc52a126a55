/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventBuilder;
import io.kubeloop.api.core.EventSource;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The recorder of one component: builds events and passes them to a consumer. Thread-safe. */
public final class DefaultEventRecorder implements EventRecorder {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultEventRecorder.class);

    private final EventSource source;
    private final Clock clock;
    private final Consumer<Event> out;

    /** Creates a recorder. */
    public DefaultEventRecorder(EventSource source, Clock clock, Consumer<Event> out) {
        this.source = source;
        this.clock = clock;
        this.out = out;
    }

    @Override
    public void annotatedEvent(
            ObjectReference regarding, Map<String, String> annotations, String type, String reason, String message) {
        if (!EventType.isValid(type)) {
            LOG.error("Event {} is not sent, its type \"{}\" is not supported; use Normal or Warning", reason, type);
            return;
        }
        Instant now = clock.instant();
        out.accept(EventBuilder.builder()
                .metadata(ObjectMetaBuilder.builder()
                        .name(EventNames.of(regarding.name(), now))
                        .namespace(EventNames.namespaceOf(regarding))
                        .annotations(annotations)
                        .build())
                .involvedObject(regarding)
                .reason(reason)
                .message(message)
                .source(source)
                .firstTimestamp(new Time(now))
                .lastTimestamp(new Time(now))
                .count(1)
                .type(type)
                .reportingController(source.component())
                .reportingInstance(source.host())
                .build());
    }
}
