package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.core.Event;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Makes few writes of many events: aggregate, then count, then filter (upstream: {@code EventCorrelator}). In this order, so
 * that counts grow even while events are dropped. Confined to the writer's thread.
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
     * Returns what to store of the event: counted up if one was observed before, and with the name of that one then; null if
     * nothing is to be written.
     */
    @Nullable
    public KeyedEvent correlate(Event event) {
        KeyedEvent aggregated = aggregator.aggregate(event);
        Event counted = logger.observe(aggregated.event(), aggregated.key());
        return spamFilter.isSpam(counted) ? null : new KeyedEvent(counted, aggregated.key());
    }

    /** Remembers what the server has stored. */
    public void updateState(Event stored) {
        logger.updateState(stored);
    }
}
