/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.JsonStrings;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts equal events instead of storing each (upstream: {@code eventLogger}). Confined to the broadcaster's thread.
 */
public final class EventLogger {

    private final LruCache<List<String>, Observation> observations;

    public EventLogger(int cacheSize) {
        observations = new LruCache<>(cacheSize);
    }

    /** The stored state of an event, as far as known. */
    private record Observation(int count, @Nullable Time firstTimestamp, String name, String resourceVersion) {

        static Observation of(Event event) {
            return new Observation(
                    event.count(),
                    event.firstTimestamp(),
                    event.metadata().name(),
                    event.metadata().resourceVersion());
        }

        /**
         * Returns the state after a write was stored. Equal events may have been counted since that write was built.
         */
        Observation after(Observation stored) {
            boolean isAhead = name.equals(stored.name) && count > stored.count;
            return isAhead ? new Observation(count, firstTimestamp, name, stored.resourceVersion) : stored;
        }
    }

    /**
     * Returns the event to store. If an equal event was observed before, the result has its name and its first time,
     * and a count that is higher by one.
     */
    public Event observe(Event event, List<String> key) {
        Observation last = observations.get(key);
        Event counted = last == null || last.count() == 0
                ? event
                : EventBuilder.builder(event)
                        .metadata(ObjectMetaBuilder.builder(event.metadata())
                                .name(last.name())
                                .resourceVersion(last.resourceVersion())
                                .build())
                        .firstTimestamp(last.firstTimestamp())
                        .count(last.count() + 1)
                        .build();
        observations.put(key, Observation.of(counted));
        return counted;
    }

    /** Returns the strategic merge patch that stores a new count. */
    public static String countPatch(Event counted) {
        String message = counted.message().isEmpty() ? "" : ",\"message\":" + JsonStrings.quote(counted.message());
        return "{\"count\":" + counted.count() + ",\"lastTimestamp\":\"" + counted.lastTimestamp() + "\"" + message
                + "}";
    }

    /** Records an event as the server stored it; its count never decreases. */
    public void updateState(Event stored) {
        observations.merge(EventKeys.same(stored), Observation.of(stored), Observation::after);
    }
}
