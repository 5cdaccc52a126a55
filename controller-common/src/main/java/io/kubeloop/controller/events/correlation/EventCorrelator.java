/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.core.Event;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Reduces many events to few writes: aggregates, then counts, then filters (upstream: {@code EventCorrelator}). In
 * this order, counts grow even while events are suppressed. Confined to the broadcaster's thread.
 */
public final class EventCorrelator {

    private final EventAggregator aggregator;
    private final EventLogger logger;
    private final EventSpamFilter spamFilter;

    public EventCorrelator(EventCorrelatorOptions options, Clock clock) {
        aggregator = new EventAggregator(options, clock);
        logger = new EventLogger(options.cacheSize());
        spamFilter = new EventSpamFilter(options, clock);
    }

    /**
     * Returns the event to store, or null if it is suppressed. An event that was observed before keeps its stored
     * name and gets a higher count.
     */
    @Nullable
    public KeyedEvent correlate(Event event) {
        KeyedEvent aggregated = aggregator.aggregate(event);
        Event counted = logger.observe(aggregated.event(), aggregated.key());
        return spamFilter.isSpam(counted) ? null : new KeyedEvent(counted, aggregated.key());
    }

    /** Records an event as the server stored it. */
    public void updateState(Event stored) {
        logger.updateState(stored);
    }
}
