package io.kubeloop.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;

/**
 * The time of a program, and the tasks that run at their time. Everything that waits or measures uses a scheduler, so a test
 * can step through days in milliseconds. Thread-safe. A class that only measures takes {@code scheduler::nanoTime}.
 */
public interface Scheduler extends AutoCloseable {

    /** A scheduled task. */
    @FunctionalInterface
    interface Task {

        /** Cancels the task; has no effect if it has begun. */
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
    Task schedule(Duration delay, Runnable task);

    /**
     * Counts one more thread of an informer as busy. A thread is idle while it waits for an event, for a change, for a
     * notification or for the end of a backoff. The thread that ends such a wait counts the waiting thread as busy
     * before it becomes idle itself, so the count is zero only if no thread has work. Default: does nothing.
     *
     * <p>Informers call this method and {@link #workEnds} under their locks: it must not block, throw or call back.
     */
    default void workBegins() {}

    /** Counts one thread of an informer as idle; see {@link #workBegins}. Default: does nothing. */
    default void workEnds() {}

    /**
     * Drops all tasks and ends the thread. Safe to call twice. A scheduler on real time waits at most one second for a
     * running task; an interrupt ends that wait, and the interrupt flag stays set.
     */
    @Override
    void close();

    /** Returns a scheduler on real time, with one thread from the factory. */
    static Scheduler system(ThreadFactory threads) {
        return new SystemScheduler(threads);
    }
}
