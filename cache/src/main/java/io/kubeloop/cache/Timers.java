package io.kubeloop.cache;

import io.kubeloop.cache.runtime.SystemTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;

/**
 * The time, and what is to happen later: everything in this package that waits, waits through this, so that a test can step
 * through days in milliseconds. Thread-safe.
 */
public interface Timers extends AutoCloseable {

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Timeout {

        /** Takes the task back; nothing happens if it ran already. */
        void cancel();
    }

    /** Returns the time of day, for people to read. */
    Instant now();

    /** Returns nanoseconds from an arbitrary origin, never going back, for measuring. */
    long nanoTime();

    /** Runs the task once the delay has passed. Tasks are short and never block: they share one thread. */
    Timeout schedule(Duration delay, Runnable task);

    /** Drops every task and frees the thread; safe to call twice. */
    @Override
    void close();

    /** Returns timers on real time, with one thread from the factory. */
    static Timers system(ThreadFactory threads) {
        return new SystemTimers(threads);
    }
}
