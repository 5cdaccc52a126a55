package io.kubeloop.api.client;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open answer of frames: one JSON document after the other, for as long as the server keeps talking.
 *
 * <p>One thread reads; {@link #close()} may be called by any thread and ends a blocked {@link #next()} at once.
 */
public interface ApiStream extends AutoCloseable {

    /**
     * Returns the HTTP status code. 200 means that frames are watch events; with any other code the stream holds the
     * error's body as its only frame.
     */
    int code();

    /** Returns the headers, names in lower case. */
    Map<String, List<String>> headers();

    /**
     * Returns the next frame, or null when the server ended the stream in order or the stream was closed. Blocks.
     *
     * @return the bytes of exactly one JSON document; owned by the caller
     * @throws TransportException if the connection broke, a frame was cut off ({@code UNEXPECTED_EOF}) or too large, or the
     *     request's deadline passed
     */
    byte @Nullable [] next();

    /** Ends the stream and frees its connection; safe to call twice and from any thread. */
    @Override
    void close();
}
