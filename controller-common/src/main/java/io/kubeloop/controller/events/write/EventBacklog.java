package io.kubeloop.controller.events.write;

import io.kubeloop.api.core.Event;
import io.kubeloop.controller.events.correlation.EventCorrelator;
import io.kubeloop.controller.events.correlation.KeyedEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The writes that reported events have come to and that are still to be made, the oldest first: events to create, and counts
 * to patch. A count that goes up again while it waits stays one patch. (Upstream makes each of them: fifteen patches of one
 * event, where the last says it all.)
 *
 * <p>Confined to the broadcaster's thread, but for the counters.
 */
public final class EventBacklog {

    // Invariant 1: at most one patch waits for each stored event; it carries the last count, time and message.
    // Invariant 2: an event's creation comes before its patch.
    // Invariant 3: the count of a patch is greater than that of every write of this event before it, for as long as the
    //              correlator remembers the event.

    private final EventCorrelator correlator;
    private final Map<Target, Event> writes = new LinkedHashMap<>();
    private volatile int size;

    private final AtomicLong suppressed = new AtomicLong();

    public EventBacklog(EventCorrelator correlator) {
        this.correlator = correlator;
    }

    /** What identifies a write: the event's name too, since what is counted under a key can have been forgotten. */
    private record Target(List<String> key, String name, boolean isPatch) {}

    /** Correlates the event, and adds what is to be written of it, if anything is. */
    public void add(Event event) {
        KeyedEvent correlated = correlator.correlate(event);
        if (correlated == null) {
            suppressed.incrementAndGet();
            return;
        }
        Event counted = correlated.event();
        writes.put(new Target(correlated.key(), counted.metadata().name(), counted.count() > 1), counted);
        size = writes.size();
    }

    /** Takes the event that has waited for the longest time to be created, or to have its count patched; null if none does. */
    @Nullable
    public Event poll() {
        var oldest = writes.values().iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        Event event = oldest.next();
        oldest.remove();
        size = writes.size();
        return event;
    }

    /** Remembers what the server has stored. */
    public void updateState(Event stored) {
        correlator.updateState(stored);
    }

    /** Returns the number of events that were suppressed because their object had too many. Any thread may call. */
    public long suppressed() {
        return suppressed.get();
    }

    /** Returns the number of pending writes. Any thread may call. */
    public int size() {
        return size;
    }
}
