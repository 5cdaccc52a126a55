package io.kubeloop.cache;

import io.kubeloop.cache.runtime.SystemTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;

/**
 * The time and the timers of this module: everything that waits or measures uses them, so a test can step through days
 * in milliseconds. Thread-safe. A class that only measures takes {@code timers::nanoTime}.
 */
public interface Timers extends AutoCloseable {

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Timeout {

        /** Cancels the task; has no effect if it has run. */
        void cancel();
    }

    /** Returns the time of day, for people to read. */
    Instant now();

    /** Returns nanoseconds since an arbitrary origin, for measuring; the value never decreases. */
    long nanoTime();

    /**
     * Runs the task once, when the delay has passed. Tasks share one thread, so they must be short and must not block.
     *
     * @param delay zero or less runs the task as soon as possible
     * @param task its exceptions are lost
     * @return cancels the task
     */
    Timeout schedule(Duration delay, Runnable task);

    /**
     * Drops all tasks and ends the thread. Safe to call twice. Timers on real time wait at most one second for a
     * running task; an interrupt ends that wait, and the interrupt flag stays set.
     */
    @Override
    void close();

    /** Returns timers on real time, with one thread from the factory. */
    static Timers system(ThreadFactory threads) {
        return new SystemTimers(threads);
    }
}
