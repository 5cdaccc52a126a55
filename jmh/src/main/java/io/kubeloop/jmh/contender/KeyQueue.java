/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import org.jspecify.annotations.Nullable;

/** A work queue. Thread-safe. */
public interface KeyQueue {

    /** Adds a key, unless it is already queued. */
    void add(String key);

    /** Blocks until a key is available, and returns it. Returns null after the queue has been shut down. */
    @Nullable
    String get() throws InterruptedException;

    /** Marks a key as processed. */
    void done(String key);

    /** Shuts the queue down, and ends the waits of all threads. */
    void shutDown();
}
