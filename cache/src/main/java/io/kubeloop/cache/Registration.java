/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import java.time.Duration;

/**
 * The registration of a handler with an informer (upstream: {@code cache.ResourceEventHandlerRegistration}).
 * Thread-safe.
 */
public interface Registration extends AutoCloseable {

    /**
     * Returns whether the handler has handled every object of the first list. Once true, always true. A call that threw
     * counts as handled.
     */
    boolean hasSynced();

    /**
     * Blocks until {@link #hasSynced}, woken by the handler's thread.
     *
     * @param timeout maximum time to wait; zero or less checks once
     * @throws CacheSyncTimeoutException if the time passes or the handler is removed first; the message names informer
     *     and handler
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /** Returns the number of calls still to be made, the running call included. */
    int pending();

    /**
     * Removes the handler and drops its pending notifications. Does not wait: when this returns, one call of the
     * handler may still be running or about to begin, and no further call follows. Use {@link #closeAndAwait} to wait
     * for the end of that call.
     *
     * <p>Safe to call twice, from the handler, and after the informer was closed.
     */
    @Override
    void close();

    /**
     * Removes the handler and blocks until its running call has returned. After true, no call is running and none will
     * begin. Called from the handler itself, it does not wait and returns false.
     *
     * @param timeout maximum time to wait for the running call; at least one millisecond is waited
     * @return true if the handler will not be called again; false if the time passed first, or the handler itself
     *     called
     * @throws InterruptedException if the thread is interrupted while it waits; the handler is removed nevertheless
     */
    boolean closeAndAwait(Duration timeout) throws InterruptedException;
}
