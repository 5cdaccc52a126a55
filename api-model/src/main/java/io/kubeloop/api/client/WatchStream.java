package io.kubeloop.api.client;

import org.jspecify.annotations.Nullable;

/**
 * An open watch.
 *
 * <p>One thread reads; {@link #close()} may be called by any thread and ends a blocked {@link #next()} at once.
 *
 * @param <T> the type of the objects
 */
public interface WatchStream<T> extends AutoCloseable {

    /**
     * Returns the next event, or null when the server ended the watch in order or the stream was closed. Blocks.
     *
     * @throws TransportException if the connection broke or a deadline passed
     * @throws DecodeException if a frame makes no sense
     */
    @Nullable
    WatchEvent<T> next();

    /** Ends the watch; safe to call twice and from any thread. */
    @Override
    void close();
}
