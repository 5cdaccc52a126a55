package io.kubeloop.apiserver.storage;

import java.time.Duration;

/** Runs short tasks after a delay. Injected, so that a test controls time. Thread-safe. */
public interface Timer extends AutoCloseable {

    /** Runs a task once after a delay. The task must not block. After {@link #close} tasks are dropped. */
    Task schedule(Duration delay, Runnable task);

    /**
     * Runs a task once at about this time. A timer may run it up to half of the delay earlier or later, together with other
     * tasks; the default is exact.
     */
    default Task scheduleAround(Duration delay, Runnable task) {
        return schedule(delay, task);
    }

    /** Drops all tasks and ends the timer's thread. */
    @Override
    void close();

    /** A scheduled task. */
    @FunctionalInterface
    interface Task {

        /** Prevents the task from running if it has not started; safe to call twice. */
        void cancel();
    }
}
