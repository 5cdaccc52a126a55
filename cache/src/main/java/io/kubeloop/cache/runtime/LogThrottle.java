package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.time.Duration;

/** Lets a message through at most once a minute: what fails once tends to fail for every object. Not thread-safe. */
public final class LogThrottle {

    private static final Duration BETWEEN = Duration.ofMinutes(1);

    private final Timers timers;
    private boolean ever;
    private long last;

    public LogThrottle(Timers timers) {
        this.timers = timers;
    }

    public boolean now() {
        long now = timers.nanoTime();
        if (ever && now - last < BETWEEN.toNanos()) {
            return false;
        }
        ever = true;
        last = now;
        return true;
    }
}
