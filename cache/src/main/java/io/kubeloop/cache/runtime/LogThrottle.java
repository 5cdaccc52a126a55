package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Lets one log line per minute through: what fails for one object tends to fail for every object. Thread-safe. */
public final class LogThrottle {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Timers timers;

    /** The time of the last line that was let through; null before the first. */
    private final AtomicReference<@Nullable Long> last = new AtomicReference<>();

    public LogThrottle(Timers timers) {
        this.timers = timers;
    }

    /** Returns whether a line may be written now. If so, the next minute begins. */
    public boolean now() {
        long now = timers.nanoTime();
        Long before = last.get();
        if (before != null && now - before < INTERVAL.toNanos()) {
            return false;
        }
        return last.compareAndSet(before, now);
    }
}
