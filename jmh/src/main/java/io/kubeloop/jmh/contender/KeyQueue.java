package io.kubeloop.jmh.contender;

import org.jspecify.annotations.Nullable;

/** A work queue. Safe for many threads. */
public interface KeyQueue {

    /** Adds a key, unless it waits already. */
    void add(String key);

    /** Waits for a key, and returns null when the queue has been shut down. */
    @Nullable
    String get() throws InterruptedException;

    /** Says that a key was processed. */
    void done(String key);

    /** Ends the queue; everybody who waits returns. */
    void shutDown();
}
