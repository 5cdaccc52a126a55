package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Lets one log line per minute through: what fails for one object tends to fail for every object. Thread-safe. */
public final class LogThrottle {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Timers timers;

    /** The time from which the next line is let through. */
    private final AtomicLong next;

    public LogThrottle(Timers timers) {
        this.timers = timers;
        this.next = new AtomicLong(timers.nanoTime());
    }

    /** Returns whether a line may be written now. If so, the next minute begins. */
    public boolean now() {
        long now = timers.nanoTime();
        long from = next.get();
        return now - from >= 0 && next.compareAndSet(from, now + INTERVAL.toNanos());
    }
}
