package io.kubeloop.controller;

import java.time.Duration;

/**
 * A control loop that a manager starts and stops (upstream: the {@code Run} of every controller).
 *
 * <p>Registered with its informers when constructed, idle until {@link #start}. A manager that stops several calls
 * {@link #shutDown} on all of them first, then {@link #awaitTermination} on each, so that they end side by side.
 *
 * <p>Thread-safe.
 */
public interface Controller extends AutoCloseable {

    /** How long {@link #close} waits for work in progress. */
    Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    /** Returns the name that {@code --controllers} knows it by, such as {@code replicaset}. */
    String name();

    /**
     * Starts the workers and returns at once; they begin as soon as the caches are filled and every handler has heard of
     * what is in them.
     *
     * @param workers how many keys are processed side by side, at least 1
     * @throws IllegalArgumentException if there are less than one
     * @throws IllegalStateException if it was started or shut down before
     */
    void start(int workers);

    /** Accepts no more work; keys in progress are finished. Returns at once; safe to call twice and before a start. */
    void shutDown();

    /**
     * Blocks until every thread of the controller is gone (I12), after {@link #shutDown}.
     *
     * @return false if the time passed first, or the caller was interrupted: the interrupt flag is then set
     */
    boolean awaitTermination(Duration timeout);

    /** Shuts down and waits at most {@link #CLOSE_TIMEOUT}. */
    @Override
    default void close() {
        shutDown();
        awaitTermination(CLOSE_TIMEOUT);
    }
}
