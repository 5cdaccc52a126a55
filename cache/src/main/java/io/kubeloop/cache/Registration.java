package io.kubeloop.cache;

import java.time.Duration;

/**
 * A handler's place in an informer (upstream: {@code cache.ResourceEventHandlerRegistration}). Thread-safe.
 */
public interface Registration extends AutoCloseable {

    /**
     * Returns whether the handler has been told of everything in the first list; once true, always true (I5). A call that
     * threw counts as told.
     */
    boolean hasSynced();

    /**
     * Blocks until {@link #hasSynced}.
     *
     * @throws CacheSyncTimeoutException if the time passes or the handler is removed first; names informer and handler
     * @throws InterruptedException if interrupted while waiting
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /** Returns how many calls of the handler are still to come, the running one included. */
    int pending();

    /**
     * Removes the handler; it is told nothing more once its current call has returned, and what waits for it is dropped. Does
     * not wait. Safe to call twice, from the handler, and after the informer was closed.
     */
    @Override
    void close();

    /**
     * Removes the handler and waits until its running call has returned (RG-05): then it will never be called again. Does
     * not wait when called from the handler itself.
     *
     * @return whether it is so; false if the time passed first, or the handler itself asks
     * @throws InterruptedException if interrupted while waiting; the handler is removed nevertheless
     */
    boolean closeAndAwait(Duration timeout) throws InterruptedException;
}
