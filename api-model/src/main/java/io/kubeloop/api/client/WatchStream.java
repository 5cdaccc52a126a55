/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import org.jspecify.annotations.Nullable;

/**
 * An open watch.
 *
 * <p>One thread reads. Any thread can call {@link #close()}, which ends a blocked {@link #next()} at once.
 *
 * @param <T> the type of the objects
 */
public interface WatchStream<T> extends AutoCloseable {

    /**
     * Returns the next event, or null if the server ended the watch properly or {@link #close()} was called. Blocks
     * until an event has arrived, the watch ends, or the {@link ListOptions#deadline()} of the watch passes. Without a
     * deadline, a silent server can block it indefinitely. An interrupt ends the wait with a {@link TransportException}
     * of kind {@code CLOSED}; the watch is closed, and the thread stays interrupted.
     *
     * @throws TransportException if the connection broke, the deadline passed, or the thread was interrupted
     * @throws DecodeException if a frame is malformed
     */
    @Nullable
    WatchEvent<T> next();

    /** Ends the watch. Does not block. Any thread can call it, and repeated calls have no effect. */
    @Override
    void close();
}
