/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the events that a broadcaster dropped. Thread-safe. */
public final class DroppedEvents {

    private static final Logger LOG = LoggerFactory.getLogger(DroppedEvents.class);

    private final AtomicLong count = new AtomicLong();

    /** Adds to the count, and logs it at 1, 2, 4, 8 and so on, so that a flood of events does not flood the log. */
    public void add(int events) {
        long before = count.getAndAdd(events);
        if (Long.highestOneBit(before) != Long.highestOneBit(before + events)) {
            LOG.warn("{} events dropped so far, because the queue was full or closed", before + events);
        }
    }

    public long count() {
        return count.get();
    }
}
