package io.kubeloop.cache;

import java.time.Duration;

/** Lets a message through at most once a minute: what fails once tends to fail for every object. Not thread-safe. */
final class Seldom {

    private static final Duration BETWEEN = Duration.ofMinutes(1);

    private final Timers timers;
    private boolean ever;
    private long last;

    Seldom(Timers timers) {
        this.timers = timers;
    }

    boolean now() {
        long now = timers.nanoTime();
        if (ever && now - last < BETWEEN.toNanos()) {
            return false;
        }
        ever = true;
        last = now;
        return true;
    }
}
