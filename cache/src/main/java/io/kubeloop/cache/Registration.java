package io.kubeloop.cache;

/**
 * A handler's place in an informer (upstream: {@code cache.ResourceEventHandlerRegistration}). Thread-safe.
 */
public interface Registration extends AutoCloseable {

    /**
     * Returns whether the handler has been told of everything in the first list; once true, always true (I5). A call that
     * threw counts as told.
     */
    boolean hasSynced();

    /** Returns how many calls of the handler are still to come, the running one included. */
    int pending();

    /**
     * Removes the handler; it is told nothing more once its current call has returned, and what waits for it is dropped. Does
     * not wait. Safe to call twice, from the handler, and after the informer was closed.
     */
    @Override
    void close();
}
