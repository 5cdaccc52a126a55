/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import java.time.Duration;

/**
 * A controller that a manager starts and stops (upstream: the {@code Run} of every controller).
 *
 * <p>A controller registers with its informers when it is constructed and does no work before {@link #start}. To stop
 * several controllers in parallel, a manager calls {@link #shutDown} on all of them first, then {@link
 * #awaitTermination} on each.
 *
 * <p>Thread-safe.
 */
public interface Controller extends AutoCloseable {

    /** The longest time that {@link #close} waits for keys in progress: 30 s. */
    Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    /** Returns the controller's name, such as {@code replicaset}; the flag {@code --controllers} uses it. */
    String name();

    /**
     * Starts the workers and returns at once. They begin when the caches are filled and every handler has received
     * the initial list.
     *
     * @param workers the number of keys that are processed at a time, at least 1
     * @throws IllegalArgumentException if the number is less than 1
     * @throws IllegalStateException if the controller was started or shut down before
     */
    void start(int workers);

    /**
     * Accepts no more keys; the workers finish those that are queued. Returns at once. Safe to call twice and before a
     * start.
     */
    void shutDown();

    /**
     * Blocks until every thread of the controller has ended; call {@link #shutDown} first.
     *
     * @param timeout the longest wait
     * @return false if the time passed first, or if the caller was interrupted; an interrupt ends the wait and stays
     *     set
     */
    boolean awaitTermination(Duration timeout);

    /**
     * Shuts down and blocks until every thread has ended, for at most {@link #CLOSE_TIMEOUT}. An interrupt ends the
     * wait and stays set.
     */
    @Override
    default void close() {
        shutDown();
        awaitTermination(CLOSE_TIMEOUT);
    }
}
