/* SPDX-License-Identifier: Apache-2.0 */
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
 * The pending writes of a broadcaster, oldest first: events to create, and counts to patch. A count that rises while
 * its patch is pending stays one patch; upstream sends a patch for each step.
 *
 * <p>Confined to the broadcaster's thread, except {@link #size} and {@link #suppressed}.
 */
public final class EventBacklog {

    /*
     * Invariant 1: at most one patch is pending for each stored event; it carries the last count, time and message.
     * Invariant 2: an event's creation comes before its patch.
     * Invariant 3: the counts of an event's writes increase, as long as the correlator remembers the event.
     */

    private final EventCorrelator correlator;
    private final Map<Target, Event> writes = new LinkedHashMap<>();
    private volatile int size;

    private final AtomicLong suppressed = new AtomicLong();

    public EventBacklog(EventCorrelator correlator) {
        this.correlator = correlator;
    }

    /**
     * The identity of a write. It includes the event's name, because the correlator may have forgotten the key in
     * between.
     */
    private record Target(List<String> key, String name, boolean isPatch) {}

    /** Correlates the event and adds the resulting write, if there is one. */
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

    /**
     * Removes and returns the oldest pending write: an event to create, or one whose count is to be patched; null if
     * there is none.
     */
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

    /** Records an event as the server stored it. */
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
