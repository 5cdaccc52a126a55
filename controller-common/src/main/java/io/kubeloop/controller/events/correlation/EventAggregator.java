/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventBuilder;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.controller.events.write.EventNames;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Combines events that differ only in their message, once many of them arrive in a short time (upstream: {@code
 * EventAggregator}). Confined to the broadcaster's thread.
 */
public final class EventAggregator {

    private static final String PREFIX = "(combined from similar events): ";

    private final EventCorrelatorOptions options;
    private final Clock clock;
    private final LruCache<List<String>, Group> groups;

    public EventAggregator(EventCorrelatorOptions options, Clock clock) {
        this.options = options;
        this.clock = clock;
        this.groups = new LruCache<>(options.cacheSize());
    }

    /** The distinct messages of recent similar events. */
    private static final class Group {

        private final Set<String> messages = new LinkedHashSet<>();
        private Instant last = Instant.MIN;
    }

    public KeyedEvent aggregate(Event event) {
        Instant now = clock.instant();
        List<String> similar = EventKeys.similar(event);
        Group group = groups.computeIfAbsent(similar, key -> new Group());
        if (!group.messages.isEmpty() && Duration.between(group.last, now).compareTo(options.aggregateWithin()) > 0) {
            group.messages.clear();
        }
        group.messages.add(event.message());
        group.last = now;
        if (group.messages.size() < options.aggregateFrom()) {
            return new KeyedEvent(event, EventKeys.same(event));
        }
        forgetOldest(group.messages);
        return new KeyedEvent(combined(event, now), similar);
    }

    /** Keeps the set below the limit by removing the oldest message; upstream removes any. */
    private static void forgetOldest(Set<String> messages) {
        Iterator<String> oldest = messages.iterator();
        oldest.next();
        oldest.remove();
    }

    /** Returns the combined event. It names its component only as its source, as combined events of all releases do. */
    private static Event combined(Event event, Instant now) {
        String name = EventNames.of(event.involvedObject().name(), now);
        return EventBuilder.builder()
                .metadata(ObjectMeta.named(event.metadata().namespace(), name))
                .involvedObject(event.involvedObject())
                .reason(event.reason())
                .message(PREFIX + event.message())
                .source(event.source())
                .firstTimestamp(new Time(now))
                .lastTimestamp(new Time(now))
                .count(1)
                .type(event.type())
                .build();
    }
}
