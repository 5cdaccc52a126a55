package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventBuilder;
import io.kubeloop.controller.json.JsonStrings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts equal events instead of storing each (upstream: {@code eventLogger}, EV-12, EV-13). Confined to the writer's
 * thread.
 */
public final class EventLogger {

    private final LruCache<List<String>, Observation> observations;

    public EventLogger(int cacheSize) {
        observations = new LruCache<>(cacheSize);
    }

    /** What is stored of an event, as far as known. */
    private record Observation(int count, @Nullable Time firstTimestamp, String name, String resourceVersion) {

        static Observation of(Event event) {
            return new Observation(
                    event.count(),
                    event.firstTimestamp(),
                    event.metadata().name(),
                    event.metadata().resourceVersion());
        }

        /** Returns what is known once this is stored: equal events may have been counted since the write was made up. */
        Observation after(Observation stored) {
            boolean isAhead = name.equals(stored.name) && count > stored.count;
            return isAhead ? new Observation(count, firstTimestamp, name, stored.resourceVersion) : stored;
        }
    }

    /**
     * Returns the event as it is to be stored: with the name, the first time and one more than the count of the one before
     * it, if there was one.
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

    /** Returns what changes when an equal event is counted, as a strategic merge patch. */
    public static String countPatch(Event counted) {
        String message = counted.message().isEmpty() ? "" : ",\"message\":" + JsonStrings.quote(counted.message());
        return "{\"count\":" + counted.count() + ",\"lastTimestamp\":\"" + counted.lastTimestamp() + "\"" + message
                + "}";
    }

    /** Remembers what the server has stored; a count of it never goes back. */
    public void updateState(Event stored) {
        observations.merge(EventKeys.same(stored), Observation.of(stored), Observation::after);
    }
}
