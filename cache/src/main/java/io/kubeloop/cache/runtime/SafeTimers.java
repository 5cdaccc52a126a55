package io.kubeloop.cache.runtime;

import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timers of a user, whose {@link Timers.Timeout#cancel} never throws. Thread-safe.
 *
 * <p>Timers are user code. A thread cancels a timeout while it cleans up, often in a {@code finally} block: an exception there
 * would end the thread or hide the first error. {@link #schedule} may still throw; each caller has its own answer to that.
 */
public final class SafeTimers implements Timers {

    private static final Logger LOG = LoggerFactory.getLogger(SafeTimers.class);

    private final Timers timers;

    private final boolean counts;

    private SafeTimers(Timers timers, boolean counts) {
        this.timers = timers;
        this.counts = counts;
    }

    /** Wraps the timers, unless that has been done or is not necessary. */
    public static Timers of(Timers timers) {
        return timers instanceof SafeTimers || timers instanceof SystemTimers ? timers : new SafeTimers(timers, true);
    }

    /** Wraps the timers for threads of the caller, which they do not count as busy. */
    public static Timers uncounted(Timers timers) {
        return new SafeTimers(timers, false);
    }

    @Override
    public Instant now() {
        return timers.now();
    }

    @Override
    public long nanoTime() {
        return timers.nanoTime();
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        Timeout timeout = timers.schedule(delay, task);
        return () -> cancel(timeout);
    }

    private static void cancel(Timeout timeout) {
        try {
            timeout.cancel();
        } catch (Throwable e) {
            SafeLog.log(() -> LOG.warn("Cannot cancel a timer; it may still fire, without effect", e));
        }
    }

    @Override
    public void workBegins() {
        if (counts) {
            timers.workBegins();
        }
    }

    @Override
    public void workEnds() {
        if (counts) {
            timers.workEnds();
        }
    }

    @Override
    public void close() {
        timers.close();
    }
}
