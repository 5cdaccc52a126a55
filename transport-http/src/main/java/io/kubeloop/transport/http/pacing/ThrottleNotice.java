/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.pacing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs that requests wait for the client-side rate limit: at info level waits of more than a second, at most one line
 * per ten seconds; all other waits at debug level. Thread-safe.
 */
public final class ThrottleNotice {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottleNotice.class);
    private static final Duration SLOW = Duration.ofSeconds(1);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;

    /** The earliest time of the next line. The thread that advances it writes the line. */
    private final AtomicLong next;

    public ThrottleNotice(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.next = new AtomicLong(nanoTime.getAsLong());
    }

    public void waiting(String what, Duration delay) {
        if (delay.compareTo(SLOW) > 0 && isDue()) {
            LOG.info("{} waits {} for the client-side rate limit", what, delay);
        } else {
            LOG.debug("{} waits {} for the client-side rate limit", what, delay);
        }
    }

    private boolean isDue() {
        long now = nanoTime.getAsLong();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + INTERVAL.toNanos());
    }
}
