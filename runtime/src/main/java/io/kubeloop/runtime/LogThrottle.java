/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Allows one log line per minute, because a call that fails for one object tends to fail for every object. Thread-safe.
 */
public final class LogThrottle {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Scheduler scheduler;

    /** The time from which the next line is allowed. */
    private final AtomicLong next;

    /** Creates a throttle that lets the first line through. */
    public LogThrottle(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.next = new AtomicLong(scheduler.nanoTime());
    }

    /** Returns whether a line may be written now. If so, the next minute begins. */
    public boolean now() {
        long now = scheduler.nanoTime();
        long from = next.get();
        return now - from >= 0 && next.compareAndSet(from, now + INTERVAL.toNanos());
    }
}
