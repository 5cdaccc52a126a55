package io.kubeloop.controller.events.write;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the events that a broadcaster had to drop. Thread-safe. */
public final class DroppedEvents {

    private static final Logger LOG = LoggerFactory.getLogger(DroppedEvents.class);

    private final AtomicLong count = new AtomicLong();

    /** Counts, and says so at 1, 2, 4, 8...: a flood of events must not become one of log lines. */
    public void add(int events) {
        long before = count.getAndAdd(events);
        if (Long.highestOneBit(before) != Long.highestOneBit(before + events)) {
            LOG.warn("{} events dropped so far: the queue was full or closed", before + events);
        }
    }

    public long count() {
        return count.get();
    }
}
