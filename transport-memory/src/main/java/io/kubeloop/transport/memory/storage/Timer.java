package io.kubeloop.transport.memory.storage;

import java.time.Duration;

/** Runs short tasks later. Injected, so that a test can let time pass. Thread-safe. */
public interface Timer extends AutoCloseable {

    /** Runs a task once after a delay; it must not block. After {@link #close} tasks are dropped. */
    Task schedule(Duration delay, Runnable task);

    /** Drops all tasks and ends the timer's thread. */
    @Override
    void close();

    /** A task that may still be stopped. */
    @FunctionalInterface
    interface Task {

        /** Stops the task from running if it has not begun; safe to call twice. */
        void cancel();
    }
}
